"""Challenging a question, and answering what learners said against it."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.models import User
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.selectors import load_public_versions
from quizzes.challenges.models import Challenge, ChallengeReason, ChallengeVerdict
from quizzes.challenges.selectors import list_options, list_overseen_challenges
from quizzes.events import services as events
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused

MAX_COMMENT = 2000
"""Characters of what a learner says, and of an answer."""


@transaction.atomic
def challenge_question(  # noqa: PLR0913  what a challenge is made of
    *,
    attempt: UUID,
    slot: int,
    learner: User,
    reason: str,
    comment: str,
    option: UUID | None = None,
    language: str,
    now: datetime,
) -> Challenge:
    """Say what is wrong with a question of one's own graded attempt, once a question.

    `option`: of the version that was asked. It reads nothing that reveal may hide, so that what
    it answers says nothing of the key. Not one's own, or no such slot: NotFound. Not graded:
    Refused. An unknown reason or option, no comment or too long a one: Invalid. Challenged
    before: Conflict.
    """
    row = Attempt.objects.select_related("quiz").filter(uuid=attempt, learner=learner).first()
    if row is None:
        raise NotFound
    if row.state != State.GRADED:
        raise Refused("challenge_before_grading")
    slots = Manifest.from_json(row.manifest).slots
    if not 0 <= slot < len(slots):
        raise NotFound
    version = load_public_versions([slots[slot].version])[slots[slot].version]
    text = comment.replace("\0", "").strip()
    if reason not in ChallengeReason.values:
        raise Invalid("challenge_reason_unknown")
    if not text or len(text) > MAX_COMMENT:
        raise Invalid("challenge_comment_length", limit=MAX_COMMENT)
    if option is not None and str(option) not in list_options(version):
        raise Invalid("challenge_option_unknown")
    try:
        with transaction.atomic():
            return Challenge.objects.create(
                attempt=row,
                learner=learner,
                quiz=row.quiz,
                slot=slot,
                version_id=version.version_id,
                option=option,
                reason=reason,
                comment=text,
                language=language,
                created_at=now,
            )
    except IntegrityError as error:
        raise Conflict("challenged_before") from error


@transaction.atomic
def answer_challenges(  # noqa: PLR0913  what an answer is made of
    *,
    challenges: Collection[UUID],
    by: User,
    verdict: str,
    answer: str,
    safe_before_key: bool = False,
    now: datetime,
) -> list[Challenge]:
    """Answer challenges, all in one: each learner reads it once reveal lets them.

    `safe_before_key`: they read it at once, as it says nothing of the key. Answering again replaces
    the answer; the audit log has both verdicts. One that this person does not oversee, one's own or
    none at all: NotFound. No verdict, no text or too long a one: Invalid.
    """
    text = answer.replace("\0", "").strip()
    if verdict not in {ChallengeVerdict.ACCEPTED, ChallengeVerdict.DECLINED}:
        raise Invalid("verdict_missing")
    if not text or len(text) > MAX_COMMENT:
        raise Invalid("challenge_answer_length", limit=MAX_COMMENT)
    rows = list(
        list_overseen_challenges(by)
        .filter(uuid__in=challenges)
        .select_related("version__question__bank", "quiz")
        .select_for_update(of=("self",))
        .order_by("pk")
    )
    if not rows or len(rows) != len(set(challenges)):
        raise NotFound
    for row in rows:
        before = {"verdict": row.verdict}
        row.verdict, row.answer, row.safe_before_key = verdict, text, safe_before_key
        row.answered_by, row.answered_at = by, now
        row.save()
        record(
            AuditCode.CHALLENGE_ANSWERED,
            about=row,
            label=str(row.version.question),
            group=row.quiz.group_id,
            by=by,
            before=before,
            after={"verdict": verdict, "safe_before_key": safe_before_key},
        )
        events.record(
            kind="challenge_answered",
            subject=row.uuid,
            data={"verdict": verdict},
            now=now,
            is_news=True,
        )
    return rows
