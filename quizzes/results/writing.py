"""Writing a grading down: marks, result, standing and event, together, inside the caller's lock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from grading.contract import ENGINE_VERSION, ItemScore
from quizzes.attempts import selectors as attempts
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.bank.selectors import Paper, Secret, secrets
from quizzes.events import services as events
from quizzes.results.marking import Marked
from quizzes.results.models import Grading, ItemMark, Reason, Result
from quizzes.results.standings import refresh, settle


@dataclass(frozen=True, slots=True)
class Ground:
    """What an attempt is marked from; all sequences go by slot."""

    manifest: Manifest
    papers: Sequence[Paper]
    answers: Sequence[Mapping[str, Any] | None]
    secrets: Sequence[Secret]


def ground(row: Attempt) -> Ground:
    """Gather it, for a row that came with the heads of its journal."""
    manifest = Manifest.from_json(row.manifest)
    papers = attempts.papers_of(manifest)
    secrets_by_version = secrets(slot.version for slot in manifest.slots)
    return Ground(
        manifest,
        papers,
        [head.answer for head in attempts.heads_of(row, len(papers))],
        [secrets_by_version[slot.version] for slot in manifest.slots],
    )


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a grading is made, by whom, and after how many; how many marks by persons it read."""

    reason: Reason
    by: User | None = None
    before: int = 0
    person_marks: int = 0


def write(row: Attempt, of: Ground, marked: Marked, cause: Cause, now: datetime) -> Grading:
    """Append a grading, and bring up to date what follows from it."""
    grading = _append(row, marked, cause, now)
    ItemMark.objects.bulk_create(_item_marks(grading, of, marked))
    if cause.before:
        Result.objects.filter(attempt=row).update(grading=grading, updated_at=now)
        Attempt.objects.filter(pk=row.pk).update(updated_at=now)
        refresh(row.standing)
    else:
        Result.objects.create(
            attempt=row,
            grading=grading,
            quiz_id=row.quiz_id,
            learner_id=row.learner_id,
            updated_at=now,
        )
        Attempt.objects.filter(pk=row.pk).update(state=State.GRADED, updated_at=now)
        settle(row, of.manifest, marked)
    events.record(
        kind="attempt.graded",
        subject=row.uuid,
        data={"grading": grading.number, "reason": grading.reason, "passed": grading.passed},
        now=now,
    )
    return grading


def _append(row: Attempt, marked: Marked, cause: Cause, now: datetime) -> Grading:
    return Grading.objects.create(
        attempt=row,
        number=cause.before + 1,
        reason=cause.reason,
        by=cause.by,
        total_numerator=marked.total.numerator,
        total_denominator=marked.total.denominator,
        maximum_numerator=marked.maximum.numerator,
        maximum_denominator=marked.maximum.denominator,
        passed=marked.passed and not marked.provisional,
        provisional=marked.provisional,
        engine=ENGINE_VERSION,
        person_marks=cause.person_marks,
        graded_at=now,
    )


def _item_marks(grading: Grading, of: Ground, marked: Marked) -> list[ItemMark]:
    marks = []
    for number, (slot, paper, answer, outcome) in enumerate(
        zip(of.manifest.slots, of.papers, of.answers, marked.marks, strict=True)
    ):
        credit = outcome.credit if isinstance(outcome, ItemScore) else None
        marks.append(
            ItemMark(
                grading=grading,
                slot=number,
                version_id=paper.version_id,
                answer=answer,
                credit_numerator=None if credit is None else credit.numerator,
                credit_denominator=None if credit is None else credit.denominator,
                points_numerator=slot.points.numerator,
                points_denominator=slot.points.denominator,
                mark=outcome.to_json()
                if isinstance(outcome, ItemScore)
                else {"needs_person": outcome.reason},
            )
        )
    return marks
