"""A gradebook as a file: CSV for programs, XLSX for people; a text is never a formula.

It is written into a file on the disk, some rows at a time, and sent when it is complete.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Final

from django.http import FileResponse
from django.utils.translation import gettext as _

from accounts.models import Group, User
from quizzes.formats.tables.table_writer import (
    HeadingColors,
    WorkbookSheet,
    fit_workbook,
    generate_delimited,
    save_workbook,
)
from quizzes.lib.errors import Refused
from quizzes.lib.read_replica import reads_from_replica
from quizzes.presentation.gradebook_tables import (
    ExportTable,
    build_attempt_table,
    build_grade_table,
    build_item_table,
)
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook_export import ATTEMPTS, GRADES

CSV, XLSX = "csv", "xlsx"
MEDIA_TYPES: Final[Mapping[str, str]] = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MAX_WORKBOOK_COLUMNS: Final = 16_384
"""The most that a sheet of a workbook can have."""


@reads_from_replica
def send_gradebook(  # noqa: PLR0913  what a file is of, and who asks for it when
    *,
    group: Group,
    quizzes: Sequence[Quiz],
    rows: str,
    file_format: str,
    viewer: User,
    now: datetime,
) -> FileResponse:
    """Return these quizzes of `list_exported_quizzes` as a file.

    More columns than a workbook has: Refused.
    """
    table = _build_table(rows, group, quizzes, viewer)
    if file_format == XLSX and len(table.headings) > MAX_WORKBOOK_COLUMNS:
        raise Refused("too_many_columns")
    file = TemporaryFile()  # noqa: SIM115  closed when it is sent
    _write(file_format, table, file)
    file.seek(0)
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"gradebook-{rows}-{now:%Y-%m-%d}.{file_format}",
        content_type=MEDIA_TYPES[file_format],
        headers={"Cache-Control": "no-store, private"},
    )


def _build_table(rows: str, group: Group, quizzes: Sequence[Quiz], viewer: User) -> ExportTable:
    if rows == GRADES:
        return build_grade_table(group, quizzes)
    if rows == ATTEMPTS:
        return build_attempt_table(group, quizzes, viewer)
    return build_item_table(group, quizzes, viewer)


def _write(file_format: str, table: ExportTable, file: IO[bytes]) -> None:
    cells = (row for rows in ([table.headings], table.rows) for row in rows)
    if file_format == CSV:
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
