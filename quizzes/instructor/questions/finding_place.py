"""Where in a question a finding of the checks is, in words."""

from collections.abc import Iterator

from django.utils.translation import gettext

from quizzes.bank.lint import SCORING_METHOD, Finding
from quizzes.instructor.questions import field_labels
from quizzes.presentation.messages.problems import language_name


def describe_place(finding: Finding, row: str) -> str:
    """Return where in a question it is; `row` is the short name of the row, if it is of one."""
    return " · ".join(_iter_place(finding, row))


def _iter_place(finding: Finding, row: str) -> Iterator[str]:
    table, text = field_labels.TABLES.get(finding.part), field_labels.TEXTS.get(finding.part)
    if finding.path == SCORING_METHOD:
        yield gettext("Scoring")
    if table and row:
        yield f"{table.row} {row}"
    elif text:
        yield str(text.name)
    elif table:
        yield str(table.name)
    if finding.path.startswith("feedback.") and row:
        yield str(field_labels.FEEDBACK)
    if finding.path and finding.language:
        yield language_name(finding.language)
