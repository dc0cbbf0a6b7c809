"""Verifying what follows from gradings: the result of each attempt, and each quiz grade."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from grading.totals import AttemptOutcome, compute_quiz_outcome
from quizzes.attempts.models import Attempt, QuizGrade, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.recorded_state import load_log_beginning
from quizzes.lib.hash_chain import Difference, format_time
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.results.models import Grading, RegradeRule
from quizzes.results.quiz_grades import load_terms

_GRADINGS = Grading.objects.order_by("number")


def verify_results(attempts: QuerySet[Attempt] | None = None) -> Iterator[Differences]:
    """Verify that the result of each of these attempts, or of all, is its newest grading."""
    rows = Attempt.objects.all() if attempts is None else attempts
    gradings = Prefetch("gradings", _GRADINGS)
    last_rule = RegradeRule.objects.filter(quiz=OuterRef("quiz")).order_by("-number")
    rows = rows.annotate(last_rule=Coalesce(Subquery(last_rule.values("number")[:1]), 0))
    for row in read_rows(rows.select_related("result").prefetch_related(gradings).order_by("pk")):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
        elif row.state not in {State.OPEN, State.SUBMITTED} or row.gradings.all():
            yield _name(f"result of attempt {row.uuid}", _find_result_differences(row))


def _find_result_differences(row: Any) -> Iterator[Difference]:
    grading = next(reversed(row.gradings.all()), None)
    result = getattr(row, "result", None)
    if grading is None or result is None:
        if row.state == State.GRADED:
            yield "row", "graded", "without a grading" if grading is None else "without a result"
        elif grading is not None:
            yield "row", "a grading", "without a result"
        return
    yield from _compare(
        {
            "state": (row.state, State.VOID if row.state == State.VOID else State.GRADED),
            "grading": (result.grading_id, grading.pk),
            "quiz": (result.quiz_id, row.quiz_id),
            "learner": (result.learner_id, row.learner_id),
            "updated_at": (result.updated_at, grading.graded_at),
            # As many as its grading has read, or more that changed nothing, of those there are.
            "regrade_rules_applied": (
                result.regrade_rules_applied,
                min(
                    max(result.regrade_rules_applied, grading.regrade_rules_read),
                    max(row.last_rule, grading.regrade_rules_read),
                ),
            ),
        }
    )


def verify_quiz_grades(quiz_grades: QuerySet[QuizGrade] | None = None) -> Iterator[Differences]:
    """Work out each of these quiz grades, or all, from the gradings of its attempts."""
    rows = QuizGrade.objects.all() if quiz_grades is None else quiz_grades
    attempts = Attempt.objects.select_related("quiz_version").order_by("number")
    of_quiz_grade = Prefetch("attempts", attempts.prefetch_related(Prefetch("gradings", _GRADINGS)))
    rows = rows.select_related("quiz", "learner").prefetch_related(of_quiz_grade)
    recorded = _load_given_up()
    for row in read_rows(rows.order_by("pk")):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
        else:
            name = f"quiz grade {row.pk} of learner {row.learner_id} on quiz {row.quiz_id}"
            yield _name(name, _find_quiz_grade_differences(row, recorded))


@dataclass(frozen=True, slots=True)
class _GivenUp:
    """When learners gave up, as the audit log says, by learner and quiz; and how far it reaches.

    A row of the log that was emptied by an erasure says None.
    """

    moments: Mapping[tuple[UUID | None, UUID | None], str | None]
    begins_at: datetime | None

    def find_difference(self, row: QuizGrade) -> Iterator[Difference]:
        """Yield where a quiz grade and the log part."""
        stored = row.gave_up_at and format_time(row.gave_up_at)
        pair = (row.learner.uuid, row.quiz.uuid)
        if pair in self.moments:
            recorded = self.moments[pair]
            if stored is None or (recorded is not None and stored != recorded):
                yield "gave_up_at", str(stored), str(recorded)
        elif row.gave_up_at and (self.begins_at is None or row.gave_up_at >= self.begins_at):
            yield "gave_up_at", str(stored), "in the audit log"


def _load_given_up() -> _GivenUp:
    events = AuditEvent.objects.order_by("created_at", "pk")
    given_up = events.filter(code=AuditCode.ATTEMPTS_GIVEN_UP)
    return _GivenUp(
        {
            (actor, subject): after and after.get("gave_up_at")
            for actor, subject, after in given_up.values_list("actor", "subject", "after")
        },
        load_log_beginning(),
    )


def _find_quiz_grade_differences(row: QuizGrade, recorded: _GivenUp) -> Iterator[Difference]:
    yield from recorded.find_difference(row)
    attempts = list(row.attempts.all())
    for attempt in attempts:
        yield from _compare(
            {
                "quiz": (row.quiz_id, attempt.quiz_id),
                "learner": (row.learner_id, attempt.learner_id),
            }
        )
    attempts = [attempt for attempt in attempts if not attempt.is_staff_attempt]
    graded = [attempt for attempt in attempts if attempt.state == State.GRADED]
    yield from _compare(_pair_outcome(row, graded))
    ended = [
        attempt.updated_at for attempt in attempts if attempt.state in {State.GRADED, State.VOID}
    ]
    if ended:
        yield from _compare({"updated_at": (row.updated_at, max(ended))})


def _pair_outcome(row: QuizGrade, graded: list[Attempt]) -> Mapping[str, tuple[Any, Any]]:
    """Return each column of the outcome as it is stored and as these attempts make it."""
    outcomes, policy = [], "highest"
    for attempt in graded:
        grading = list(attempt.gradings.all())[-1]
        threshold, policy = load_terms(attempt)
        outcomes.append(AttemptOutcome(attempt.number, grading.total, grading.maximum, threshold))
    outcome = compute_quiz_outcome(policy, outcomes)
    counted = [attempt.pk for attempt in graded if outcome and (attempt.number,) == outcome.numbers]
    return {
        "attempts_graded": (row.attempts_graded, len(graded)),
        "total": (row.total, outcome and outcome.total),
        "maximum": (row.maximum, outcome and outcome.maximum),
        "passed": (row.passed, outcome and outcome.passed),
        "attempt": (row.attempt_id, counted[0] if counted else None),
    }


def _compare(pairs: Mapping[str, tuple[Any, Any]]) -> Iterator[Difference]:
    for place, (stored, computed) in pairs.items():
        if stored != computed:
            yield place, str(stored), str(computed)


def _name(row: str, differences: Iterator[Difference]) -> Differences:
    """Return the differences with the row's name; where they cannot be found out, that is one."""
    try:
        return tuple(RecordDifference(row, *difference) for difference in differences)
    except UNREADABLE as error:
        return (RecordDifference(row, "row", "unreadable", describe_error(error)),)
