"""Marking by hand: one person marks one answer, and the attempt is graded anew at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db import transaction

from accounts.models import User
from grading.contract import NeedsManualGrading
from grading.essay.scoring import score_by_levels, score_by_share
from grading.essay.structure import load_rubric
from grading.kinds import KINDS
from quizzes.attempts.access import supervised_by
from quizzes.attempts.journal import with_current_responses
from quizzes.attempts.models import Attempt, State
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.results.double_marking import EffectiveGrade
from quizzes.results.grading_records import (
    GradingInput,
    GradingReason,
    load_grading_input,
    record_grading,
)
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.models import ManualGrade, Purpose, Reason, Result
from quizzes.results.scoring import score_attempt

FINEST = 10_000
"""The largest denominator of a share: finer is no mark, and denominators multiply in totals."""
LONGEST_COMMENT = 10_000


@transaction.atomic
def grade_manually(  # noqa: PLR0913  what a mark by hand is made of
    *,
    attempt: UUID,
    slot: int,
    by: User,
    levels: Mapping[str, str] | None = None,
    share: Fraction | None = None,
    comment: str = "",
    purpose: Purpose = Purpose.FIRST,
    seen: int | None = None,
    now: datetime,
) -> ManualGrade:
    """Append a person's mark of one answer, and a grading that reads it.

    By `levels` {criterion id: level id} where the question has criteria, else by `share` of the
    points, 0 to 1. Whether a mark is the first or the second follows from those before; `FINAL`
    settles it, once all have marked. `seen` is the number of the newest mark of this answer that
    the marker knew. Not overseen by this person, or their own attempt: NotFound. Nothing for
    persons, or not yet: Refused. What does not fit the rubric: Invalid. Marked meanwhile by as
    many as may, or after `seen`: Conflict.
    """
    row = _lock_attempt(attempt, by)
    of = load_grading_input(row)
    _check_answer(of, slot)
    _check_mark(of, slot, levels, share)
    before = load_manual_grades(row.pk)
    judged = before.by_slot.get(slot, ())
    if seen is not None and judged and judged[-1].number > seen:
        raise Conflict("marked_meanwhile")
    person_mark = ManualGrade.objects.create(
        attempt=row,
        learner_id=row.learner_id,
        number=before.count + 1,
        slot=slot,
        version_id=of.public_versions[slot].version_id,
        grader=by,
        purpose=_purpose(judged, by, purpose, load_rubric(of.keys[slot].key).graders),
        levels=None if levels is None else dict(levels),
        share_numerator=None if share is None else share.numerator,
        share_denominator=None if share is None else share.denominator,
        comment=_plain(comment),
        graded_at=now,
    )
    _grade(row, of, by, now)
    return person_mark


def _lock_attempt(attempt: UUID, by: User) -> Attempt:
    """Lock quiz grade and attempt, in this order, if this person may mark it."""
    overseen = Attempt.objects.filter(supervised_by(by), uuid=attempt).exclude(learner=by)
    row = (
        with_current_responses(overseen)
        .select_for_update(of=("quiz_grade", "self"))
        .select_related("quiz_grade__attempt")
        .first()
    )
    if row is None:
        raise NotFound
    if row.state == State.VOID:
        raise Refused("void")
    if row.state != State.GRADED:
        raise Refused("not_graded")
    return row


def _check_answer(of: GradingInput, slot: int) -> None:
    if not 0 <= slot < len(of.public_versions):
        raise Invalid("unknown_slot", where="slot")
    plan, answer = of.manifest.slots[slot], of.answers[slot]
    by_machine = KINDS[plan.kind].score(
        of.public_versions[slot].content,
        of.keys[slot].key,
        None if answer is None else dict(answer),
        plan.scoring_method,
    )
    if not isinstance(by_machine, NeedsManualGrading):
        raise Refused("needs_nobody")


def _check_mark(
    of: GradingInput, slot: int, levels: Mapping[str, str] | None, share: Fraction | None
) -> None:
    key = of.keys[slot].key
    if bool(load_rubric(key).criteria) != (levels is not None) or (levels is None) == (
        share is None
    ):
        raise Invalid("levels_or_share", where="levels")
    try:
        if levels is not None:
            score_by_levels(key, levels)
        if share is not None:
            score_by_share(share.numerator, share.denominator)
    except ValueError:
        raise Invalid(
            "levels_do_not_fit" if share is None else "share_out_of_range",
            where="levels" if share is None else "share",
        ) from None
    if share is not None and share.denominator > FINEST:
        raise Invalid("denominator_too_large", where="share", maximum=FINEST)


def _purpose(judged: Sequence[EffectiveGrade], by: User, purpose: Purpose, graders: int) -> Purpose:
    graders = judged[0].graders if judged else graders
    places = {
        judgement.grader: Purpose(judgement.purpose)
        for judgement in judged
        if judgement.purpose != Purpose.FINAL
    }
    settled = any(judgement.purpose == Purpose.FINAL for judgement in judged)
    if purpose == Purpose.FINAL:
        if len(places) < graders:
            raise Refused("marks_missing")
        return purpose
    if by.pk in places and not settled:
        return places[by.pk]
    if settled or len(places) >= graders:
        raise Conflict("marked_already")
    return Purpose.SECOND if places else Purpose.FIRST


def _plain(comment: str) -> str:
    text = comment.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(text) > LONGEST_COMMENT:
        raise Invalid("comment_too_long", where="comment", maximum=LONGEST_COMMENT)
    return text


def _grade(row: Attempt, of: GradingInput, by: User, now: datetime) -> None:
    persons = load_manual_grades(row.pk)
    marked = score_attempt(of.manifest, of.answers, of.public_versions, of.keys, persons.by_slot)
    number = Result.objects.values_list("grading__number", flat=True).get(attempt=row)
    cause = GradingReason(
        Reason.MARKED, by=by, previous_number=number, manual_grades_read=persons.count
    )
    record_grading(row, of, marked, cause, now)
