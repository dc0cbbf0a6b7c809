"""The gradebook of a class: its learners and quizzes, and how each learner stands at each quiz."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, islice
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.access import UserOrAnonymous, groups_overseen, memberships_in_force
from accounts.models import Group, Membership, Role, User
from quizzes.attempts.models import Assignment, Attempt, QuizGrade, State
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Mode, Quiz
from quizzes.results.attempt_report import Score

LEARNERS_AT_ONCE: Final = 200
"""How many are looked at together where only some are listed."""


class GradeState(StrEnum):
    """How a learner stands at a quiz."""

    NOT_BEGUN = "not_begun"
    IN_PROGRESS = "in_progress"
    WAITING = "waiting"
    PASSED = "passed"
    FAILED = "failed"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class GradebookCell:
    """A learner at a quiz. `score`: their quiz grade, None before the first grading.

    `attempt`: the key of the attempt that counts, else of the latest; None without any.
    `attempt_uuid`: the same attempt as programs name it. `is_retaking`: there is a grade, and they
    have another attempt open. `has_given_up`: they begin no other, having seen what is right.
    """

    state: GradeState
    score: Score | None
    attempt: int | None
    attempt_uuid: UUID | None
    is_retaking: bool = False
    has_given_up: bool = False


@dataclass(frozen=True, slots=True)
class GradebookRow:
    """A learner, and a cell for each quiz of the gradebook, in its order."""

    learner: User
    cells: tuple[GradebookCell, ...]


@dataclass(frozen=True, slots=True)
class Gradebook:
    """A page of a gradebook. `next_after`: the membership that the next page follows, if any."""

    quizzes: tuple[Quiz, ...]
    rows: tuple[GradebookRow, ...]
    next_after: int | None


def load_gradebook(  # noqa: PLR0913  what of the class is listed, for whom, from where
    *,
    group: Group,
    viewer: UserOrAnonymous,
    search: str = "",
    quiz: Quiz | None = None,
    state: GradeState | None = None,
    after: int | None = None,
    limit: int,
) -> Gradebook:
    """Return a page of the gradebook of a class that the viewer oversees; else: NotFound.

    Learners by name, those whose address is confirmed: the others' attempts are nobody's to see.
    The quizzes are those assigned to the class and those it owns. Attempts of staff do not count.
    Four queries. With a `state`, those learners who stand so at this quiz, or at any: one query
    more for each LEARNERS_AT_ONCE that are looked at.
    """
    quizzes = list_gradebook_quizzes(group=group, viewer=viewer)
    memberships = _search_memberships(group, search, after)
    pairs = islice(_generate_rows(memberships, quizzes, quiz, state, limit + 1), limit + 1)
    rows = list(pairs)
    page = rows[:limit]
    next_after = page[-1][0] if len(rows) > limit else None
    return Gradebook(quizzes, tuple(row for _, row in page), next_after)


def _generate_rows(
    memberships: QuerySet[Membership],
    quizzes: Sequence[Quiz],
    quiz: Quiz | None,
    state: GradeState | None,
    limit: int,
) -> Iterator[tuple[int, GradebookRow]]:
    """Yield the rows of those who stand so, each after the key of its membership."""
    size = limit if state is None else LEARNERS_AT_ONCE
    for start in count(0, size):
        batch = list(memberships[start : start + size])
        rows = build_rows(quizzes, [membership.user for membership in batch])
        for membership, row in zip(batch, rows, strict=True):
            if state is None or state in _list_states(row, quizzes, quiz):
                yield membership.pk, row
        if len(batch) < size:
            return


def _list_states(row: GradebookRow, quizzes: Sequence[Quiz], quiz: Quiz | None) -> set[GradeState]:
    """Return how a learner stands at this quiz, or at each of them."""
    return {
        cell.state
        for column, cell in zip(quizzes, row.cells, strict=True)
        if quiz is None or column == quiz
    }


def list_gradebook_quizzes(*, group: Group, viewer: UserOrAnonymous) -> tuple[Quiz, ...]:
    """Return the quizzes of a class that the viewer oversees; else: NotFound."""
    if not groups_overseen(viewer).filter(pk=group.pk).exists():
        raise NotFound
    return list_class_quizzes(group)


def list_class_quizzes(group: Group) -> tuple[Quiz, ...]:
    """Return the quizzes assigned to a class, then those that it owns and has published.

    A practice, which enters no grade, is none of them, unless it was graded before.
    """
    assignments = Assignment.objects.filter(group=group)
    owned = Quiz.objects.filter(group=group, current__isnull=False)
    listed = Q(pk__in_array=assignments.values("quiz")) | Q(pk__in_array=owned.values("pk"))
    assignment = Subquery(assignments.filter(quiz=OuterRef("pk")).values("pk"))
    graded = ~Q(mode=Mode.PRACTICE) | Exists(QuizGrade.objects.filter(quiz=OuterRef("pk")))
    quizzes = Quiz.objects.filter(listed, graded)
    return tuple(quizzes.order_by(assignment.asc(nulls_last=True), "pk"))


def list_gradebook_memberships(group: Group) -> QuerySet[Membership]:
    """Return the learners of a class whose address is confirmed, with their accounts."""
    memberships = memberships_in_force().filter(group=group, role=Role.LEARNER)
    return memberships.select_related("user")


def build_rows(quizzes: Sequence[Quiz], learners: Sequence[User]) -> tuple[GradebookRow, ...]:
    """Return how these learners stand at these quizzes, in their order: one query."""
    cells = _load_cells(quizzes, learners)
    return tuple(
        GradebookRow(learner, tuple(cells.get((learner.pk, quiz.pk), _NOTHING) for quiz in quizzes))
        for learner in learners
    )


_NOTHING: Final = GradebookCell(GradeState.NOT_BEGUN, None, None, None)


def _search_memberships(group: Group, search: str, after: int | None) -> QuerySet[Membership]:
    rows = list_gradebook_memberships(group)
    if search:
        rows = rows.filter(
            Q(user__name__icontains=search)
            | Q(user__email__icontains=search)
            | Q(user__school_id__icontains=search)
        )
    if after is not None:
        name = Subquery(Membership.objects.filter(group=group, pk=after).values("user__name"))
        rows = rows.filter(Q(user__name__gt=name) | Q(user__name=name, pk__gt=after))
    return rows.order_by("user__name", "pk")


def _load_cells(
    quizzes: Sequence[Quiz], learners: Sequence[User]
) -> dict[tuple[int, int], GradebookCell]:
    """Return the cells by learner and quiz, of those who have begun: one query."""
    attempts = defaultdict[tuple[int, int], list[Attempt]](list)
    # Manifests are large, and nothing of them is shown here.
    rows = Attempt.objects.filter(quiz__in=quizzes, learner__in=learners, is_staff_attempt=False)
    rows = rows.select_related("quiz_grade", "quiz_version", "result__grading").only(
        *("uuid", "learner", "quiz", "number", "state"),
        *("quiz_grade__attempt", "quiz_grade__passed", "quiz_grade__gave_up_at"),
        *("quiz_grade__total_numerator", "quiz_grade__total_denominator"),
        *("quiz_grade__maximum_numerator", "quiz_grade__maximum_denominator"),
        *("quiz_version__pass_numerator", "quiz_version__pass_denominator"),
        "result__grading__provisional",
    )
    for attempt in rows.order_by("number"):
        attempts[attempt.learner_id, attempt.quiz_id].append(attempt)
    return {pair: _build_cell(attempts_of_pair) for pair, attempts_of_pair in attempts.items()}


def _build_cell(attempts: Sequence[Attempt]) -> GradebookCell:
    """Return the cell of a learner who has begun: the grade if there is one, else how far it is."""
    graded = [attempt for attempt in attempts if attempt.state == State.GRADED]
    quiz_grade = attempts[-1].quiz_grade
    total, maximum = quiz_grade.total, quiz_grade.maximum
    if not graded or total is None or maximum is None:
        return GradebookCell(
            _find_state(attempts),
            None,
            attempts[-1].pk,
            attempts[-1].uuid,
            has_given_up=quiz_grade.gave_up_at is not None,
        )
    counted = next((row for row in graded if row.pk == quiz_grade.attempt_id), graded[-1])
    score = Score(
        total,
        maximum,
        counted.quiz_version.threshold,
        bool(quiz_grade.passed),
        any(attempt.result.grading.provisional for attempt in graded),
    )
    if score.passed:
        state = GradeState.PASSED
    else:
        state = GradeState.WAITING if score.provisional else GradeState.FAILED
    is_retaking = any(attempt.state == State.OPEN for attempt in attempts)
    has_given_up = quiz_grade.gave_up_at is not None
    return GradebookCell(state, score, counted.pk, counted.uuid, is_retaking, has_given_up)


def _find_state(attempts: Sequence[Attempt]) -> GradeState:
    states = {attempt.state for attempt in attempts}
    if State.OPEN in states:
        return GradeState.IN_PROGRESS
    return GradeState.WAITING if states & {State.SUBMITTED, State.GRADED} else GradeState.VOID
