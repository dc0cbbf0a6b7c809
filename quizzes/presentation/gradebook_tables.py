"""What stands in an exported gradebook: final grades, every attempt, or every answer of them.

Points are numbers, and once more as an exact fraction; per cent is what every page shows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Final, TypeVar

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Group, User
from quizzes.attempts.models import Attempt, State
from quizzes.course_grades.selectors import compute_course_totals, load_grade_rule
from quizzes.course_grades.totals import GradeRule
from quizzes.formats.tables.table_writer import TableCell
from quizzes.lib import clock
from quizzes.lib.translated_texts import choose_text
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.kinds import answer_text
from quizzes.presentation.messages.gradebook_states import STATES
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import AttemptSummary, Score
from quizzes.results.gradebook import build_rows, list_class_quizzes, list_gradebook_memberships
from quizzes.results.item_grades import (
    AskedQuestion,
    ItemGrade,
    list_asked_questions,
    list_class_attempts,
    load_item_grades,
)
from quizzes.results.selectors import load_summaries

LEARNERS_AT_ONCE: Final = 200
ATTEMPTS_AT_ONCE: Final = 100
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table to be written: its header, and rows that are read as they are written."""

    headings: list[str]
    rows: Iterator[list[TableCell]]


def build_grade_table(group: Group, quizzes: Sequence[Quiz]) -> ExportTable:
    """Return the final grades, a row a learner."""
    titles = [translate_title(quiz) for quiz in quizzes]
    names = [
        title if titles.count(title) == 1 else f"{title} ({quiz.slug})"
        for quiz, title in zip(quizzes, titles, strict=True)
    ]
    scores = [f"{name}: {heading}" for name in names for heading in _list_score_headings()]
    rule = load_grade_rule(group, list_class_quizzes(group))
    totals = _list_total_headings(rule) if rule else []
    rows = _list_grades(group, quizzes, rule)
    return ExportTable([*_list_person_headings(), *totals, *scores], rows)


def build_attempt_table(group: Group, quizzes: Sequence[Quiz], viewer: User) -> ExportTable:
    """Return every attempt, a row each."""
    return ExportTable(_list_attempt_headings(), _list_attempts(group, quizzes, viewer, ()))


def build_item_table(group: Group, quizzes: Sequence[Quiz], viewer: User) -> ExportTable:
    """Return every attempt, with the answer to each question and what it earned."""
    attempts = list_class_attempts(group=group, quizzes=quizzes, viewer=viewer)
    questions = list_asked_questions(attempts)
    headings = [
        f"{name}: {heading}"
        for name in _name_questions(questions)
        for heading in (_("answer"), _("credit"), _("exact credit"), _("of points"))
    ]
    return ExportTable(
        [*_list_attempt_headings(), *headings],
        _list_attempts(group, quizzes, viewer, questions),
    )


def translate_title(quiz: Quiz) -> str:
    """Return the title of a quiz in the language of the page, else in its own."""
    language = get_language() or quiz.source_language
    return choose_text(quiz.title, language, quiz.source_language)[0] or quiz.slug


def _name_questions(questions: Sequence[AskedQuestion]) -> list[str]:
    """Return numbers and beginnings of questions: learners read no other name of them, either."""
    language = get_language() or "en"
    prompts = [excerpt(question.public_version.words(language).prompt) for question in questions]
    return [f"{number}. {prompt}" for number, prompt in enumerate(prompts, start=1)]


def _list_person_headings() -> list[str]:
    return [_("Name"), _("E-mail"), _("School id")]


def _list_score_headings() -> list[str]:
    return [_("points"), _("of"), _("per cent"), _("exact points"), _("state")]


def _list_attempt_headings() -> list[str]:
    attempt = [_("Quiz"), _("Attempt"), _("Started"), _("Submitted"), _("counts")]
    return [*_list_person_headings(), *attempt, *_list_score_headings()]


def _list_grades(
    group: Group, quizzes: Sequence[Quiz], rule: GradeRule | None
) -> Iterator[list[TableCell]]:
    """Yield a row a learner. The total is of all quizzes, whichever are exported."""
    every_quiz = list_class_quizzes(group) if rule else tuple(quizzes)
    exported = {quiz.pk for quiz in quizzes}
    for learners in _batch_learners(group):
        rows = build_rows(every_quiz, learners)
        totals = compute_course_totals(rule, every_quiz, rows) if rule else [None] * len(rows)
        for row, total in zip(rows, totals, strict=True):
            cells: list[TableCell] = [*_describe_person(row.learner)]
            if total is not None:
                cells += [*_describe_share(total.score), str(STATES[total.state][1])]
                cells += ["" if share is None else to_number(share * 100) for share in total.shares]
            for quiz, cell in zip(every_quiz, row.cells, strict=True):
                if quiz.pk in exported:
                    cells += [*_describe_score(cell.score), str(STATES[cell.state][1])]
            yield cells


def _list_total_headings(rule: GradeRule) -> list[str]:
    """Return the columns of the total, then one a category."""
    total = _("Course total")
    headings = [_("per cent"), _("exact per cent"), _("state")]
    return [
        *(f"{total}: {heading}" for heading in headings),
        *(f"{total}: {category.name} ({_('per cent')})" for category in rule.categories),
    ]


def _describe_share(score: Score | None) -> list[TableCell]:
    """Return a total as pages show it, and exactly."""
    return ["", ""] if score is None else [Decimal(score.percent), str(score.total)]


def _list_attempts(
    group: Group, quizzes: Sequence[Quiz], viewer: User, questions: Sequence[AskedQuestion]
) -> Iterator[list[TableCell]]:
    """Yield a row an attempt, then the cells of each of these questions."""
    titles = {quiz.pk: translate_title(quiz) for quiz in quizzes}
    for learners in _batch_learners(group):
        rows = list_class_attempts(group=group, quizzes=quizzes, viewer=viewer, learners=learners)
        ordered = rows.order_by("learner__name", "learner", "quiz", "number")
        for attempts in _generate_batches(ordered.iterator(ATTEMPTS_AT_ONCE), ATTEMPTS_AT_ONCE):
            summaries = load_summaries(attempts, viewer, clock.now())
            items = load_item_grades(attempts) if questions else {}
            for attempt, summary in zip(attempts, summaries, strict=True):
                yield [
                    *_describe_attempt(attempt, summary, titles[attempt.quiz_id]),
                    *_describe_items(items.get(attempt.pk, ()), questions),
                ]


def _generate_batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch


def _batch_learners(group: Group) -> Iterator[list[User]]:
    """Yield the learners of a class by name, some hundred at a time."""
    memberships = list_gradebook_memberships(group).order_by("user__name", "pk")
    for batch in _generate_batches(memberships, LEARNERS_AT_ONCE):
        yield [membership.user for membership in batch]


def _describe_person(learner: User) -> tuple[str, str, str]:
    return learner.name, learner.email, learner.school_id


def _describe_attempt(attempt: Attempt, summary: AttemptSummary, title: str) -> list[TableCell]:
    return [
        *_describe_person(attempt.learner),
        title,
        attempt.number,
        _format_time(attempt.started_at),
        _format_time(attempt.submitted_at),
        _("yes") if attempt.quiz_grade.attempt_id == attempt.pk else _("no"),
        *_describe_score(summary.score),
        _describe_state(attempt, summary),
    ]


def _describe_items(
    items: Sequence[ItemGrade], questions: Sequence[AskedQuestion]
) -> Iterator[TableCell]:
    """Yield four cells a question; those of a question that was not asked are empty."""
    language, by_question = get_language() or "en", {item.question: item for item in items}
    for question in questions:
        item = by_question.get(question.uuid)
        if item is None:
            yield from ("", "", "", "")
            continue
        yield answer_text(item.public_version, item.answer, language) if item.answer else ""
        yield "" if item.credit is None else to_number(item.credit)
        yield "" if item.credit is None else str(item.credit)
        yield to_number(item.points)


def _describe_score(score: Score | None) -> list[TableCell]:
    if score is None:
        return ["", "", "", ""]
    return [
        to_number(score.total),
        to_number(score.maximum),
        Decimal(score.percent),
        str(score.total),
    ]


def _describe_state(attempt: Attempt, summary: AttemptSummary) -> str:
    if summary.score is None or attempt.state != State.GRADED:
        return str(State(attempt.state).label)
    if summary.score.provisional:
        return _("waits for grading")
    return _("passed") if summary.score.passed else _("not passed")


def to_number(value: Fraction) -> Decimal:
    """Return a fraction with six decimals, rounded; the column beside it has it exactly."""
    number = round(Decimal(value.numerator) / Decimal(value.denominator), 6).normalize()
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number


def _format_time(at: datetime | None) -> str:
    """Return a time of the reader's zone, with its distance from UTC."""
    return "" if at is None else timezone.localtime(at).isoformat(sep=" ", timespec="seconds")
