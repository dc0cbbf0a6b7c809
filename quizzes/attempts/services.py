"""Starting and ending attempts. Lock order: the learner's quiz grade, then the attempt."""

import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import (
    BigIntegerField,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    UUIDField,
)

from accounts.models import User
from quizzes.attempts import access, key_access, rules, selectors
from quizzes.attempts.attempt_codes import open_attempt
from quizzes.attempts.journal import filter_unconfirmed
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.attempts.models import Attempt, QuizGrade, Response, State, SubmissionReason
from quizzes.attempts.quiz_pauses import find_end_of_pause
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.prepared_query import PreparedQuery, PreparedUpdate
from quizzes.lib.prepared_writes import PreparedInsert, sent_together
from quizzes.publishing import blueprint
from quizzes.publishing.models import Mode, Quiz
from quizzes.publishing.selectors import (
    LoadedQuizVersion,
    effective_scoring_method,
    load_quiz_version,
)


def start(*, quiz: UUID | str, learner: User, now: datetime) -> Attempt:
    """Open an attempt at a quiz, by its id or short name, or return the one that is open.

    Called twice, it starts one. A quiz that is not there for this learner: NotFound. Rules that say
    no: Refused with the rule's code, `available_at` and `attempts_left`; while everybody is paused,
    `paused`.
    """
    quiz_row = access.find_takeable(learner, quiz)
    if quiz_row is None or quiz_row.current is None:
        raise NotFound
    quiz_version = load_quiz_version(quiz_row.current)
    with transaction.atomic():
        quiz_grade, is_new = _lock_quiz_grade(quiz_row, learner)
        # Numbers only grow and one attempt is open at most: if one is, it is the last.
        last = None if is_new else _LATEST.first(quiz_grade.pk)
        if last is not None and last.state == State.OPEN:
            if rules.is_in_time(last.cutoff_at, now):
                return last
            expire(attempts=Attempt.objects.filter(pk=last.pk), now=now)
        entry = selectors.load_start_inputs(quiz_row, learner)
        if entry.paused_until is not None and entry.paused_until > now:
            paused_until = find_end_of_pause(quiz_grade, now)
            if paused_until is not None:
                raise Refused("paused", available_at=paused_until, attempts_left=None)
        number = last.number + 1 if last else 1
        return _open(quiz_row, quiz_version, quiz_grade, number, entry, now)


def _lock_quiz_grade(quiz: Quiz, learner: User) -> tuple[QuizGrade, bool]:
    """Lock this pair's row, created if missing; return it, and whether it is new.

    Starts of one learner queue up here.
    """
    # Where it is known that there was none a moment ago, it is not looked for again.
    may_exist = vars(quiz).get("has_quiz_grade", True)
    quiz_grade = _LOCKED_QUIZ_GRADE.first(quiz.pk, learner.pk) if may_exist else None
    if quiz_grade is None:
        # One statement and no savepoint; who comes second waits here for the first, and adds none.
        new_row = QuizGrade(quiz=quiz, learner=learner)
        if _NEW_QUIZ_GRADE.insert_unless_there(new_row):
            return new_row, True
        (quiz_grade,) = _LOCKED_QUIZ_GRADE.all(quiz.pk, learner.pk)
    quiz_grade.learner = learner
    return quiz_grade, False


_NEW_QUIZ_GRADE = PreparedInsert(QuizGrade)


_LOCKED_QUIZ_GRADE: PreparedQuery[QuizGrade] = PreparedQuery(
    lambda quiz, learner: QuizGrade.objects.select_for_update().filter(quiz=quiz, learner=learner),
    BigIntegerField(),
    BigIntegerField(),
)


_LATEST: PreparedQuery[Attempt] = PreparedQuery(
    lambda quiz_grade: Attempt.objects.filter(quiz_grade=quiz_grade).order_by("-number")[:1],
    BigIntegerField(),
)


def _open(  # noqa: PLR0913, PLR0917  what an attempt is made of
    quiz: Quiz,
    quiz_version: LoadedQuizVersion,
    quiz_grade: QuizGrade,
    number: int,
    entry: selectors.StartInputs,
    now: datetime,
) -> Attempt:
    if quiz_version.policies.mode == Mode.PRACTICE:
        raise Refused("practice_only", available_at=None, attempts_left=0)
    learner = quiz_grade.learner
    permission = entry.eligibility(quiz_version.policies, now)
    if not permission.allowed or permission.window is None:
        raise Refused(
            permission.code,
            available_at=permission.available_at,
            attempts_left=permission.attempts_left,
        )
    manifest = _draw(quiz, quiz_version, quiz_grade)
    ends = rules.deadline(
        policies=quiz_version.policies,
        accommodation=entry.accommodation,
        window=permission.window,
        started_at=now,
    )
    attempt = Attempt(
        quiz_grade=quiz_grade,
        quiz_version_id=quiz_version.id,
        quiz=quiz,
        learner=learner,
        number=number,
        is_staff_attempt=key_access.can_see_answers(
            learner, quiz, quiz_version.id, has_opened_keys=entry.has_opened_keys
        ),
        manifest=manifest.to_json(),
        started_at=now,
        deadline_at=ends,
        cutoff_at=None if ends is None else ends + quiz_version.policies.grace,
    )
    with sent_together():
        events.record(
            kind="attempt.started",
            subject=attempt.uuid,
            data={"quiz": str(quiz.uuid), "number": attempt.number},
            now=now,
        )
        return open_attempt(attempt)


def _draw(quiz: Quiz, quiz_version: LoadedQuizVersion, quiz_grade: QuizGrade) -> Manifest:
    seed = secrets.token_hex(16)
    drawn = blueprint.draw(
        quiz_version.items,
        seed=seed,
        seen=_seen(quiz_grade) if quiz_version.draws else frozenset(),
        shuffle_questions=quiz_version.policies.shuffle_questions,
        shuffle_options=quiz_version.policies.shuffle_options,
    )
    return Manifest(
        quiz=quiz.uuid,
        slug=quiz.slug,
        quiz_version=quiz_version.uuid,
        title=quiz_version.title,
        source_language=quiz_version.source_language,
        policies=quiz_version.policies,
        threshold=quiz_version.threshold,
        seed=seed,
        slots=tuple(
            Slot(
                version=UUID(drawn_slot.candidate.version),
                question=UUID(drawn_slot.candidate.question),
                kind=drawn_slot.candidate.kind,
                scoring_method=effective_scoring_method(
                    drawn_slot.candidate, quiz_version.policies
                ),
                points=drawn_slot.points,
                section=drawn_slot.section,
                order=drawn_slot.order,
            )
            for drawn_slot in drawn
        ),
    )


def _seen(quiz_grade: QuizGrade) -> set[str]:
    """Return the questions of earlier attempts: only needed where there is something to draw.

    What an attempt that cannot be read has asked is unknown, and may be asked again.
    """
    manifests = map(selectors.parse_manifest, quiz_grade.attempts.only("uuid", "manifest"))
    return {
        str(slot.question)
        for manifest in manifests
        if isinstance(manifest, Manifest)
        for slot in manifest.slots
    }


def submit(*, attempt: UUID, learner: User, now: datetime, device: UUID | None = None) -> bool:
    """End a learner's own attempt; False if it had ended before (or is not theirs: ask first).

    One conditional statement: of any number of submits at once, one makes the change. While there
    is time to ask, numbers that can be read in two ways are confirmed first: Refused with their
    `slots`. Once time is over the better reading counts. While it is open on another device than
    this: Refused (`elsewhere`).
    """
    if _SUBMIT.update(attempt, learner.pk, device, now):
        return True
    mine = Attempt.objects.filter(uuid=attempt, learner=learner, state=State.OPEN)
    if expire(attempts=mine, now=now):
        return True
    ambiguous = filter_unconfirmed(Response.objects.filter(attempt__in=mine)).order_by("slot")
    if slots := list(ambiguous.values_list("slot", flat=True)):
        raise Refused("numbers_unconfirmed", slots=slots)
    row = mine.first()
    if row is None:
        return False
    if row.device not in {None, device}:
        raise Refused("elsewhere")
    # Open, and nothing to ask: another tab has confirmed the number between the statements.
    return submit(attempt=attempt, learner=learner, now=now, device=device)


def _select_to_submit(
    attempt: UUID, learner: int, device: UUID, now: datetime
) -> tuple[QuerySet[Attempt], dict[str, Any]]:
    """Return the attempt where it can be submitted from this device, and what it is set to."""
    mine = Attempt.objects.filter(uuid=attempt, learner=learner, state=State.OPEN)
    here = mine.exclude(cutoff_at__lt=now).filter(Q(device__isnull=True) | Q(device=device))
    unconfirmed = filter_unconfirmed(Response.objects.filter(attempt=OuterRef("pk")))
    return here.filter(Q(deadline_at__lte=now) | ~Exists(unconfirmed)), {
        "state": State.SUBMITTED,
        "submitted_at": now,
        "submission_reason": SubmissionReason.SUBMITTED,
        "updated_at": now,
    }


_SUBMIT = PreparedUpdate(
    _select_to_submit, UUIDField(), BigIntegerField(), UUIDField(), DateTimeField()
)


def expire(*, attempts: QuerySet[Attempt], now: datetime) -> int:
    """End those of these attempts whose cut-off has passed; return how many that ended.

    They end at their deadline, not when somebody came to look. The cut-off is compared in the very
    statement that ends them: one that was extended since somebody looked goes on. Safe to run
    twice, at once, or a day late.
    """
    return attempts.filter(state=State.OPEN, cutoff_at__lt=now).update(
        state=State.SUBMITTED,
        submitted_at=F("deadline_at"),
        submission_reason=SubmissionReason.EXPIRED,
        updated_at=now,
    )


@transaction.atomic
def void(*, attempt: UUID, by: User, reason: str, now: datetime) -> Attempt:
    """Take an attempt out of the count; its rows stay.

    No reason: Invalid. Not overseen by this person: NotFound. Void already: as it is. Interfaces
    call `results.services.void`, which brings the quiz grade up to date in the same transaction;
    the quiz grade is locked here, before the attempt.
    """
    if not reason.strip():
        raise Invalid("reason_missing", where="reason")
    overseen = Attempt.objects.filter(access.managed_by(by), uuid=attempt)
    row = overseen.select_related("quiz_grade").select_for_update(of=("quiz_grade", "self")).first()
    if row is None:
        raise NotFound
    if row.state == State.VOID:
        return row
    before = {"state": row.state}
    row.state, row.void_reason = State.VOID, reason.strip()
    row.updated_at = now
    voided = Attempt.objects.filter(pk=row.pk)
    voided.update(state=row.state, void_reason=row.void_reason, updated_at=now)
    events.record(
        kind="attempt.voided", subject=row.uuid, data={"reason": row.void_reason}, now=now
    )
    after = {"state": row.state, "reason": row.void_reason}
    group = row.quiz.group_id
    record(AuditCode.ATTEMPT_VOIDED, about=row, group=group, by=by, before=before, after=after)
    return row
