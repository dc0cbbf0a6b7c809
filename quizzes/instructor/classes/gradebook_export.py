"""A gradebook as a file: final grades, or every attempt; CSV for programs, XLSX for people.

Points are numbers, and once more as an exact fraction; per cent is what every page shows. A text
is never a formula.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.models import Group, User
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.formats.tables.table_writer import (
    MAX_CELL_LENGTH,
    HeadingColors,
    TableCell,
    WorkbookSheet,
    fits_workbook,
    write_delimited,
    write_workbook,
)
from quizzes.instructor.classes.gradebook_states import STATES
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.translated_texts import choose_text
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import AttemptSummary, Score
from quizzes.results.gradebook import (
    build_rows,
    list_gradebook_memberships,
    list_gradebook_quizzes,
)
from quizzes.results.selectors import attempts_visible_to, load_summaries

LEARNERS_AT_ONCE: Final = 200
MEDIA_TYPES: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
GRADES, ATTEMPTS = "grades", "attempts"


class GradebookExportForm(forms.Form):
    """What of a gradebook is exported, and as what."""

    quiz = forms.ChoiceField(label=gettext_lazy("Quiz"), required=False)
    rows = forms.ChoiceField(
        label=gettext_lazy("Rows"),
        choices=[
            (GRADES, gettext_lazy("Final grades, a row a learner")),
            (ATTEMPTS, gettext_lazy("Every attempt, a row an attempt")),
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


def translate_title(quiz: Quiz) -> str:
    """Return the title of a quiz in the language of the page, else in its own."""
    language = get_language() or quiz.source_language
    return choose_text(quiz.title, language, quiz.source_language)[0] or quiz.slug


def export_gradebook(request: HttpRequest, group: Group) -> HttpResponse:
    """Return the file that was asked for; a choice that there is not: 404; none: the gradebook."""
    if not request.GET:
        return redirect("admin:accounts_group_gradebook", group.pk)
    viewer = current_user(request)
    try:
        quizzes = list_gradebook_quizzes(group=group, viewer=viewer)
    except NotFound:
        raise Http404 from None
    form = GradebookExportForm(quizzes, request.GET)
    if not form.is_valid():
        raise Http404
    choice = form.cleaned_data
    if choice["quiz"]:
        quizzes = tuple(quiz for quiz in quizzes if quiz.uuid == UUID(choice["quiz"]))
    record(AuditCode.RESULTS_EXPORTED, about=group, group=group.pk, after=dict(choice))
    if choice["rows"] == GRADES:
        headings, rows = _list_grade_headings(quizzes), _list_grades(group, quizzes)
    else:
        headings, rows = _list_attempt_headings(), _list_attempts(group, quizzes, viewer)
    content = _write(choice["format"], headings, [*rows])
    name = f"gradebook-{choice['rows']}-{clock.now():%Y-%m-%d}.{choice['format']}"
    return HttpResponse(
        content,
        content_type=MEDIA_TYPES[choice["format"]],
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store, private",
        },
    )


def _write(file_format: str, headings: list[str], rows: list[list[TableCell]]) -> bytes:
    if file_format == "csv":
        return write_delimited([headings, *rows], ",")
    rows = [[_fit_workbook(cell) for cell in row] for row in rows]
    sheet = WorkbookSheet(
        _("Gradebook"),
        [headings, *rows],
        widths=[max(14, min(40, len(heading) + 4)) for heading in headings],
        colors=[HeadingColors()] * len(headings),
        frozen=1,
    )
    return write_workbook([sheet])


def _fit_workbook(cell: TableCell) -> TableCell:
    """Return a cell without what no workbook can hold."""
    if not isinstance(cell, str) or fits_workbook(cell):
        return cell
    return "".join(filter(str.isprintable, cell))[:MAX_CELL_LENGTH]


def _list_person_headings() -> list[str]:
    return [_("Name"), _("E-mail"), _("School id")]


def _list_score_headings() -> list[str]:
    return [_("points"), _("of"), _("per cent"), _("exact points"), _("state")]


def _list_grade_headings(quizzes: Sequence[Quiz]) -> list[str]:
    titles = [translate_title(quiz) for quiz in quizzes]
    names = [
        title if titles.count(title) == 1 else f"{title} ({quiz.slug})"
        for quiz, title in zip(quizzes, titles, strict=True)
    ]
    return [
        *_list_person_headings(),
        *(f"{name}: {heading}" for name in names for heading in _list_score_headings()),
    ]


def _list_grades(group: Group, quizzes: Sequence[Quiz]) -> Iterator[list[TableCell]]:
    for learners in _batch_learners(group):
        for row in build_rows(quizzes, learners):
            cells: list[TableCell] = [*_describe_person(row.learner)]
            for cell in row.cells:
                cells += [*_describe_score(cell.score), str(STATES[cell.state][1])]
            yield cells


def _list_attempt_headings() -> list[str]:
    attempt = [_("Quiz"), _("Attempt"), _("Started"), _("Submitted"), _("counts")]
    return [*_list_person_headings(), *attempt, *_list_score_headings()]


def _list_attempts(
    group: Group, quizzes: Sequence[Quiz], viewer: User
) -> Iterator[list[TableCell]]:
    titles = {quiz.pk: translate_title(quiz) for quiz in quizzes}
    for learners in _batch_learners(group):
        attempts = list(
            attempts_visible_to(viewer)
            .filter(quiz__in=quizzes, learner__in=learners, is_staff_attempt=False)
            .order_by("learner__name", "learner", "quiz", "number")
        )
        summaries = load_summaries(attempts, viewer, clock.now())
        for attempt, summary in zip(attempts, summaries, strict=True):
            yield [
                *_describe_person(attempt.learner),
                titles[attempt.quiz_id],
                attempt.number,
                _format_time(attempt.started_at),
                _format_time(attempt.submitted_at),
                _("yes") if attempt.quiz_grade.attempt_id == attempt.pk else _("no"),
                *_describe_score(summary.score),
                _describe_state(attempt, summary),
            ]


def _batch_learners(group: Group) -> Iterator[list[User]]:
    """Yield the learners of a class by name, some hundred at a time."""
    memberships = list_gradebook_memberships(group).order_by("user__name", "pk")
    learners = [membership.user for membership in memberships]
    for start in range(0, len(learners), LEARNERS_AT_ONCE):
        yield learners[start : start + LEARNERS_AT_ONCE]


def _describe_person(learner: User) -> tuple[str, str, str]:
    return learner.name, learner.email, learner.school_id


def _describe_score(score: Score | None) -> list[TableCell]:
    if score is None:
        return ["", "", "", ""]
    return [
        _to_number(score.total),
        _to_number(score.maximum),
        Decimal(score.percent),
        str(score.total),
    ]


def _describe_state(attempt: Attempt, summary: AttemptSummary) -> str:
    if summary.score is None or attempt.state != State.GRADED:
        return str(State(attempt.state).label)
    if summary.score.provisional:
        return _("waits for grading")
    return _("passed") if summary.score.passed else _("not passed")


def _to_number(value: Fraction) -> Decimal:
    """Return a fraction with six decimals, rounded; the column beside it has it exactly."""
    number = round(Decimal(value.numerator) / Decimal(value.denominator), 6).normalize()
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number


def _format_time(at: datetime | None) -> str:
    """Return a time of the reader's zone, with its distance from UTC."""
    return "" if at is None else timezone.localtime(at).isoformat(sep=" ", timespec="seconds")
