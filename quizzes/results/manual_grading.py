"""Marking by hand: one person marks one answer, and the attempt is graded anew at once.

What a machine leaves to persons is graded (`grade_manually`); any other score is overridden
(`override_score`), or commented on (`comment_on_answer`); that of the whole attempt is replaced by
`override_total`.
"""

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
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.lib.hash_chain import chain_digest, compute_salted_digest, make_salt
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.double_grading import EffectiveGrade
from quizzes.results.grading_chain import manual_grade_fields
from quizzes.results.grading_records import (
    GradingInput,
    GradingReason,
    load_grading_input,
    record_grading,
)
from quizzes.results.manual_grades import ManualGrades, load_manual_grades
from quizzes.results.models import Grading, ManualGrade, Purpose, Reason, Result
from quizzes.results.scoring import score_attempt

MAX_DENOMINATOR = 10_000
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
    grading_input = load_grading_input(row)
    _check_slot(grading_input, slot)
    if not _waits_for_person(grading_input, slot):
        raise Refused("needs_nobody")
    _check_grade(grading_input, slot, levels, share)
    before = load_manual_grades(row.pk)
    grades = before.by_slot.get(slot, ())
    if seen is not None and grades and grades[-1].number > seen:
        raise Conflict("marked_meanwhile")
    graders = load_rubric(grading_input.keys[slot].key).graders
    manual_grade = ManualGrade(
        slot=slot,
        grader=by,
        purpose=_purpose(grades, by, purpose, graders),
        levels=None if levels is None else dict(levels),
        share_numerator=None if share is None else share.numerator,
        share_denominator=None if share is None else share.denominator,
        comment=_plain(comment),
        graded_at=now,
    )
    return _append(manual_grade, row, grading_input, before)


@transaction.atomic
def override_score(  # noqa: PLR0913  what a replaced score is made of
    *,
    attempt: UUID,
    slot: int,
    share: Fraction | None,
    reason: str,
    by: User,
    seen: int | None = None,
    now: datetime,
) -> ManualGrade:
    """Put a person's score in place of the computed one of an item, and grade anew.

    `share` of the points, 0 to 1; None withdraws an override, so that the computed score counts
    again. The reason stays with the score; the learner reads it where feedback is shown. `seen` is
    how many marks by persons the attempt had when the person looked. It stays whatever is regraded.
    Not overseen by this person, or their own attempt: NotFound. An item that waits for a person, or
    nothing to withdraw: Refused. No reason, or no share of the points: Invalid. Marked meanwhile:
    Conflict.
    """
    row = _lock_attempt(attempt, by)
    grading_input = load_grading_input(row)
    _check_slot(grading_input, slot)
    if _waits_for_person(grading_input, slot):
        raise Refused("waits_for_person")
    text = _plain(reason)
    if not text:
        raise Invalid("reason_missing", where="reason")
    if share is not None:
        _check_share(share)
    before = load_manual_grades(row.pk)
    if seen is not None and before.count != seen:
        raise Conflict("marked_meanwhile")
    if share is None and slot not in before.by_slot:
        raise Refused("not_overridden")
    manual_grade = ManualGrade(
        slot=slot,
        grader=by,
        purpose=Purpose.WITHDRAWN if share is None else Purpose.OVERRIDE,
        share_numerator=None if share is None else share.numerator,
        share_denominator=None if share is None else share.denominator,
        comment=text,
        graded_at=now,
    )
    return _append(manual_grade, row, grading_input, before)


@transaction.atomic
def comment_on_answer(
    *, attempt: UUID, slot: int, comment: str, by: User, now: datetime
) -> ManualGrade:
    """Append a comment on an answer; its score stays what it is, by the machine or by a person.

    The learner reads it where feedback is shown. Of each person the newest counts; an empty one
    takes it back. Not overseen by this person, or their own attempt: NotFound. An answer that waits
    for a person, who comments with the mark: Refused. Too long a comment: Invalid.
    """
    row = _lock_attempt(attempt, by)
    grading_input = load_grading_input(row)
    _check_slot(grading_input, slot)
    if _waits_for_person(grading_input, slot):
        raise Refused("waits_for_person")
    manual_grade = ManualGrade(
        slot=slot,
        grader=by,
        purpose=Purpose.COMMENT,
        comment=_plain(comment),
        graded_at=now,
    )
    return _append(manual_grade, row, grading_input, load_manual_grades(row.pk))


@transaction.atomic
def override_total(  # noqa: PLR0913  what a replaced score is made of
    *,
    attempt: UUID,
    share: Fraction | None,
    reason: str,
    by: User,
    seen: int | None = None,
    now: datetime,
) -> ManualGrade:
    """Put a person's score in place of the sum of an attempt's questions.

    `share` of the maximum, 0 to 1; None withdraws it, so that the sum counts again. It stays
    whatever is regraded or marked. The learner reads the reason beside the score. Refused while an
    answer waits for a person; otherwise as `override_score`.
    """
    row = _lock_attempt(attempt, by)
    text = _plain(reason)
    if not text:
        raise Invalid("reason_missing", where="reason")
    if share is not None:
        _check_share(share)
    if Result.objects.filter(attempt=row, grading__provisional=True).exists():
        raise Refused("waits_for_person")
    before = load_manual_grades(row.pk)
    if seen is not None and before.count != seen:
        raise Conflict("marked_meanwhile")
    if share is None and before.total is None:
        raise Refused("not_overridden")
    manual_grade = ManualGrade(
        grader=by,
        purpose=Purpose.NO_TOTAL if share is None else Purpose.TOTAL,
        share_numerator=None if share is None else share.numerator,
        share_denominator=None if share is None else share.denominator,
        comment=text,
        graded_at=now,
    )
    return _append(manual_grade, row, load_grading_input(row), before)


def _append(
    manual_grade: ManualGrade, row: Attempt, grading_input: GradingInput, before: ManualGrades
) -> ManualGrade:
    """Chain a mark to those before it, save it, and grade the attempt anew."""
    manual_grade.attempt = row
    manual_grade.learner_id = row.learner_id
    manual_grade.number = before.count + 1
    slot = manual_grade.slot
    manual_grade.version_id = (
        None if slot is None else grading_input.public_versions[slot].version_id
    )
    manual_grade.salt = make_salt()
    manual_grade.comment_digest = compute_salted_digest(manual_grade.salt, manual_grade.comment)
    manual_grade.digest = chain_digest(before.head, manual_grade_fields(row.uuid, manual_grade))
    manual_grade.mac = load_signing_keys().compute_mac(manual_grade.digest)
    manual_grade.save(force_insert=True)
    by = manual_grade.grader
    replaced, grading = _grade(row, grading_input, by, manual_grade.graded_at)
    record(
        AuditCode.GRADED_BY_HAND,
        about=row,
        group=row.quiz.group_id,
        by=by,
        before={"total": replaced.total, "passed": replaced.passed},
        after={
            "question": None if slot is None else slot + 1,
            "purpose": manual_grade.purpose,
            "total": grading.total,
            "passed": grading.passed,
        },
    )
    return manual_grade


def _lock_attempt(attempt: UUID, by: User) -> Attempt:
    """Lock quiz grade and attempt, in this order, if this person may mark it."""
    graded = Attempt.objects.filter(uuid=attempt, is_staff_attempt=False)
    overseen = graded.filter(supervised_by(by)).exclude(learner=by)
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


def _check_slot(grading_input: GradingInput, slot: int) -> None:
    if not 0 <= slot < len(grading_input.public_versions):
        raise Invalid("unknown_slot", where="slot")


def _waits_for_person(grading_input: GradingInput, slot: int) -> bool:
    """Return whether a machine leaves the score of an answer to persons."""
    manifest_slot, answer = grading_input.manifest.slots[slot], grading_input.answers[slot]
    by_machine = KINDS[manifest_slot.kind].score(
        grading_input.public_versions[slot].content,
        grading_input.keys[slot].key,
        None if answer is None else dict(answer),
        manifest_slot.scoring_method,
    )
    return isinstance(by_machine, NeedsManualGrading)


def _check_grade(
    grading_input: GradingInput, slot: int, levels: Mapping[str, str] | None, share: Fraction | None
) -> None:
    key = grading_input.keys[slot].key
    if bool(load_rubric(key).criteria) != (levels is not None) or (levels is None) == (
        share is None
    ):
        raise Invalid("levels_or_share", where="levels")
    try:
        if levels is not None:
            score_by_levels(key, levels)
    except ValueError:
        raise Invalid("levels_do_not_fit", where="levels") from None
    if share is not None:
        _check_share(share)


def _check_share(share: Fraction) -> None:
    try:
        score_by_share(share.numerator, share.denominator)
    except ValueError:
        raise Invalid("share_out_of_range", where="share") from None
    if share.denominator > MAX_DENOMINATOR:
        raise Invalid("denominator_too_large", where="share", maximum=MAX_DENOMINATOR)


def _purpose(grades: Sequence[EffectiveGrade], by: User, purpose: Purpose, graders: int) -> Purpose:
    graders = grades[0].graders if grades else graders
    purpose_by_grader = {
        grade.grader: Purpose(grade.purpose) for grade in grades if grade.purpose != Purpose.FINAL
    }
    settled = any(grade.purpose == Purpose.FINAL for grade in grades)
    if purpose == Purpose.FINAL:
        if len(purpose_by_grader) < graders:
            raise Refused("marks_missing")
        return purpose
    if by.pk in purpose_by_grader and not settled:
        return purpose_by_grader[by.pk]
    if settled or len(purpose_by_grader) >= graders:
        raise Conflict("marked_already")
    return Purpose.SECOND if purpose_by_grader else Purpose.FIRST


def _plain(comment: str) -> str:
    text = comment.replace("\r\n", "\n").replace("\x00", "").strip()
    if len(text) > LONGEST_COMMENT:
        raise Invalid("comment_too_long", where="comment", maximum=LONGEST_COMMENT)
    return text


def _grade(
    row: Attempt, grading_input: GradingInput, by: User, now: datetime
) -> tuple[Grading, Grading]:
    """Append a grading that reads the new mark; return the one before it, and it."""
    manual_grades = load_manual_grades(row.pk)
    attempt_score = score_attempt(
        grading_input.manifest,
        grading_input.answers,
        grading_input.public_versions,
        grading_input.keys,
        manual_grades.by_slot,
        grading_input.corrections,
        manual_grades.total_share,
    )
    before = Result.objects.select_related("grading").get(attempt=row).grading
    grading_reason = GradingReason(
        Reason.MARKED, by=by, previous_number=before.number, manual_grades_read=manual_grades.count
    )
    return before, record_grading(row, grading_input, attempt_score, grading_reason, now)
