"""The page that exports a bank: any format that can be written, its losses first, then the file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.reauthentication import reauthentication_required
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Bank
from quizzes.formats import FORMATS, WRITERS
from quizzes.formats.contract import ExportResult, ExportWarning
from quizzes.imports.exporter import export_bank, name_export
from quizzes.instructor.translated_field import language_names
from quizzes.presentation.messages.imports import FORMAT_LABELS, describe_export_warning
from quizzes.presentation.messages.sentences import describe

MAX_NAMES: Final = 20
"""How many questions are named at a loss that more of them share."""


@dataclass(frozen=True, slots=True)
class ExportLoss:
    """A loss in words, and which questions it is of: the names of some, the number of all."""

    sentence: str
    questions: Sequence[str]
    count: int

    @property
    def unnamed_count(self) -> int:
        """How many of the questions are not named."""
        return self.count - len(self.questions)


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """A file that can be downloaded, and what of the bank is not in it."""

    name: str
    size: int
    losses: Sequence[ExportLoss]


def show_export(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Show the formats, of the chosen one what it loses; with `download`, send the file."""
    format_, language = request.GET.get("format", ""), request.GET.get("language", "")
    if language not in language_names():
        language = get_language() or bank.source_language
    exported = None
    if format_ in WRITERS:
        exported = export_bank(bank=bank, format_=format_, language=language)
        if "download" in request.GET:
            return _send_file(request, bank, format_, language, exported)
    context = {
        "original": bank,
        "formats": [
            (name, describe(name, FORMAT_LABELS), ", ".join(FORMATS[name].extensions))
            for name in WRITERS
        ],
        "chosen": format_,
        "chosen_label": describe(format_, FORMAT_LABELS) if exported else "",
        "language": language,
        "languages": language_names().items(),
        "preview": _build_preview(bank, format_, exported) if exported else None,
    }
    response: HttpResponse = admin.render_page(
        request,
        "bank/bank/export",
        context,
        title=_("Export of %(bank)s") % {"bank": bank},
        page_name=_("Export"),
    )
    return response


def _build_preview(bank: Bank, format_: str, exported: ExportResult) -> ExportPreview:
    name, _media_type = name_export(bank=bank, format_=format_, data=exported.data)
    return ExportPreview(name, len(exported.data), list_losses(exported.warnings))


def list_losses(warnings: Iterable[ExportWarning]) -> list[ExportLoss]:
    """Return each loss once, those of the most questions first."""
    questions: dict[str, dict[str, None]] = {}
    for warning in warnings:
        questions.setdefault(describe_export_warning(warning), {})[warning.question] = None
    losses = [
        ExportLoss(sentence, list(names)[:MAX_NAMES], len(names))
        for sentence, names in questions.items()
    ]
    return sorted(losses, key=lambda loss: -loss.count)


@reauthentication_required()
def _send_file(
    _request: HttpRequest, bank: Bank, format_: str, language: str, exported: ExportResult
) -> HttpResponse:
    name, media_type = name_export(bank=bank, format_=format_, data=exported.data)
    record(AuditCode.BANK_EXPORTED, about=bank, after={"format": format_, "language": language})
    text = "; charset=utf-8" if media_type.startswith("text/") else ""
    return HttpResponse(
        exported.data,
        content_type=f"{media_type}{text}",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
