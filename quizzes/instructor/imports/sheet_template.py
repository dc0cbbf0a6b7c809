"""The sheet to begin with, as a file to download."""

from django.http import HttpResponse

from quizzes.formats.spreadsheet.template import TEMPLATE_WRITERS

__all__ = ["TEMPLATE_WRITERS", "answer"]

_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


def answer(ending: str, language: str) -> HttpResponse:
    """Give the template with headings in this language; `ending` is one of `TEMPLATE_WRITERS`."""
    response = HttpResponse(TEMPLATE_WRITERS[ending](language), content_type=_TYPES[ending])
    name = "preguntas" if language.startswith("es") else "questions"
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response
