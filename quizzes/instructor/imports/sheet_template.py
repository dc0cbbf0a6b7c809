"""The sheet to begin with, as a file to download."""

from django.http import HttpResponse

from quizzes.formats.spreadsheet.template import TEMPLATE_WRITERS

__all__ = ["TEMPLATE_WRITERS", "build_response"]

_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


def build_response(extension: str, language: str) -> HttpResponse:
    """Return the template of one of `TEMPLATE_WRITERS`, with headings in this language."""
    response = HttpResponse(TEMPLATE_WRITERS[extension](language), content_type=_TYPES[extension])
    name = "preguntas" if language.startswith("es") else "questions"
    response["Content-Disposition"] = f'attachment; filename="{name}.{extension}"'
    return response
