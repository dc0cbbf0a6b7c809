"""A gradebook as a file: CSV for programs, XLSX for people; a text is never a formula.

It is written into a file on the disk, some rows at a time, and sent when it is complete.
"""

from collections.abc import Mapping, Sequence
from tempfile import TemporaryFile
from typing import IO, Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Group, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.formats.tables.table_writer import (
    HeadingColors,
    WorkbookSheet,
    fit_workbook,
    generate_delimited,
    save_workbook,
)
from quizzes.instructor.classes.gradebook_tables import (
    ExportTable,
    build_attempt_table,
    build_grade_table,
    build_item_table,
    translate_title,
)
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.read_replica import reads_from_replica
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook import list_gradebook_quizzes
from quizzes.results.item_grades import list_item_quizzes

MEDIA_TYPES: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
GRADES, ATTEMPTS, ITEMS = "grades", "attempts", "items"
MAX_WORKBOOK_COLUMNS: Final = 16_384
"""The most that a sheet of a workbook can have."""


class GradebookExportForm(forms.Form):
    """What of a gradebook is exported, and as what."""

    quiz = forms.ChoiceField(label=gettext_lazy("Quiz"), required=False)
    rows = forms.ChoiceField(
        label=gettext_lazy("Rows"),
        choices=[
            (GRADES, gettext_lazy("Final grades, a row a learner")),
            (ATTEMPTS, gettext_lazy("Every attempt, a row an attempt")),
            (ITEMS, gettext_lazy("Every answer, a row an attempt, columns a question")),
        ],
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[
            ("xlsx", gettext_lazy("Workbook (XLSX)")),
            ("csv", gettext_lazy("Comma-separated (CSV)")),
        ],
    )

    def __init__(self, quizzes: Sequence[Quiz], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = [(str(quiz.uuid), translate_title(quiz)) for quiz in quizzes]
        self.fields["quiz"].choices = [("", _("All quizzes")), *titles]  # type: ignore[attr-defined]


@reads_from_replica
def export_gradebook(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Return the file that was asked for; a choice that there is not: 404; none: the gradebook."""
    if not request.GET:
        return redirect("admin:accounts_group_gradebook", group.pk)
    viewer = current_user(request)
    quizzes = _list_quizzes_or_404(request, group, viewer)
    form = GradebookExportForm(quizzes, request.GET)
    if not form.is_valid():
        raise Http404
    choice = form.cleaned_data
    if choice["quiz"]:
        quizzes = tuple(quiz for quiz in quizzes if quiz.uuid == UUID(choice["quiz"]))
    record(AuditCode.RESULTS_EXPORTED, about=group, group=group.pk, after=dict(choice))
    table = _build_table(choice["rows"], group, quizzes, viewer)
    if choice["format"] == "xlsx" and len(table.headings) > MAX_WORKBOOK_COLUMNS:
        messages.error(request, _("No workbook has so many columns. Choose CSV, or one quiz."))
        return redirect("admin:accounts_group_gradebook", group.pk)
    file = TemporaryFile()  # noqa: SIM115  closed when it is sent
    _write(choice["format"], table, file)
    file.seek(0)
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"gradebook-{choice['rows']}-{clock.now():%Y-%m-%d}.{choice['format']}",
        content_type=MEDIA_TYPES[choice["format"]],
        headers={"Cache-Control": "no-store, private"},
    )


def _list_quizzes_or_404(request: HttpRequest, group: Group, viewer: User) -> tuple[Quiz, ...]:
    """Return the quizzes of the gradebook; of answers, those that this person may read now."""
    is_item_level = request.GET.get("rows") == ITEMS
    try:
        if is_item_level:
            return list_item_quizzes(group=group, viewer=viewer)
        return list_gradebook_quizzes(group=group, viewer=viewer)
    except NotFound:
        raise Http404 from None


def _build_table(rows: str, group: Group, quizzes: Sequence[Quiz], viewer: User) -> ExportTable:
    if rows == GRADES:
        return build_grade_table(group, quizzes)
    if rows == ATTEMPTS:
        return build_attempt_table(group, quizzes, viewer)
    # Which answers earned everything is as good as the key.
    for quiz in quizzes:
        record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
    return build_item_table(group, quizzes, viewer)


def _write(file_format: str, table: ExportTable, file: IO[bytes]) -> None:
    cells = (row for rows in ([table.headings], table.rows) for row in rows)
    if file_format == "csv":
        file.writelines(generate_delimited(cells, ","))
        return
    sheet = WorkbookSheet(
        _("Gradebook"),
        ([fit_workbook(cell) for cell in row] for row in cells),
        widths=[max(14, min(40, len(heading) + 4)) for heading in table.headings],
        colors=[HeadingColors()] * len(table.headings),
        frozen=1,
    )
    save_workbook([sheet], file)
