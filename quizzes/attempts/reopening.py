"""Reopening an attempt that was handed in: another with the same paper, its answers and new time.

The earlier attempt is void from then on, so one of the two counts, and nothing of it is lost.
"""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from quizzes.attempts import key_access, selectors, services
from quizzes.attempts.access import managed_by
from quizzes.attempts.attempt_codes import open_attempt
from quizzes.attempts.deadline_extension import MAX_MINUTES, check_minutes
from quizzes.attempts.journal import current_response_ids
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, State
from quizzes.attempts.response_chain import append_to_chain
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import Invalid, NotFound, Refused


@transaction.atomic
def reopen_attempt(
    *, attempt: UUID, minutes: int | None, reason: str, by: User, now: datetime
) -> Attempt:
    """Void an attempt and open another with its paper and answers; return that.

    It is over after 1 to `MAX_MINUTES` minutes, whatever windows and accommodations say; no minutes
    are for an attempt that had no deadline. Other minutes, or no reason: Invalid. Not of a learner
    whom this person teaches: NotFound. Open still, void already, its answers erased, another of
    this learner is open, or they gave up: Refused. Interfaces call
    `results.reopening.reopen_attempt`, which brings the quiz grade up to date.
    """
    earlier = _lock_earlier(attempt, by)
    if minutes is None and earlier.deadline_at is not None:
        raise Invalid("out_of_range", where="minutes")
    check_minutes(MAX_MINUTES if minutes is None else minutes, MAX_MINUTES, reason)
    manifest = Manifest.from_json(earlier.manifest)
    responses = list(Response.objects.filter(pk__in=current_response_ids(earlier)).order_by("slot"))
    if any(response.erasure_id is not None for response in responses):
        raise Refused("answers_erased")
    services.void(attempt=attempt, by=by, reason=reason, now=now)
    deadline = None if minutes is None else now + timedelta(minutes=minutes)
    reopened = _create_attempt(earlier, manifest, deadline, now)
    _copy_answers(responses, reopened, now)
    reopened.locked_slots = earlier.locked_slots  # what was left stays left
    reopened.save(update_fields=["locked_slots", "updated_at"])
    events.record(
        kind="attempt.reopened",
        subject=reopened.uuid,
        data={"quiz": str(manifest.quiz), "number": reopened.number, "from": str(earlier.uuid)},
        now=now,
        is_news=True,
    )
    record(
        AuditCode.ATTEMPT_REOPENED,
        about=reopened,
        group=earlier.quiz.group_id,
        by=by,
        before={"attempt": str(earlier.uuid), "number": earlier.number},
        after={"number": reopened.number, "deadline_at": deadline, "reason": reason.strip()},
    )
    return reopened


def _lock_earlier(attempt: UUID, by: User) -> Attempt:
    """Lock quiz grade and attempt, in this order, if it may be reopened."""
    managed = Attempt.objects.filter(managed_by(by), uuid=attempt)
    related = managed.select_related("quiz_grade", "quiz", "learner")
    row = related.select_for_update(of=("quiz_grade", "self")).first()
    if row is None:
        raise NotFound
    if row.quiz_grade.gave_up_at is not None:
        raise Refused("gave_up")
    if row.state == State.VOID:
        raise Refused("void")
    if row.state == State.OPEN:
        raise Refused("still_open")
    if row.quiz_grade.attempts.filter(state=State.OPEN).exists():
        raise Refused("another_open")
    return row


def _create_attempt(
    earlier: Attempt, manifest: Manifest, deadline: datetime | None, now: datetime
) -> Attempt:
    attempts = earlier.quiz_grade.attempts
    entry = selectors.load_start_inputs(earlier.quiz, earlier.learner)
    return open_attempt(
        Attempt(
            quiz_grade=earlier.quiz_grade,
            quiz_version_id=earlier.quiz_version_id,
            quiz=earlier.quiz,
            learner=earlier.learner,
            number=(attempts.aggregate(last=Max("number"))["last"] or 0) + 1,
            is_staff_attempt=earlier.is_staff_attempt
            or key_access.can_see_answers(
                earlier.learner,
                earlier.quiz,
                earlier.quiz_version_id,
                has_opened_keys=entry.has_opened_keys,
            ),
            manifest=earlier.manifest,
            reopened_from=earlier,
            started_at=now,
            deadline_at=deadline,
            cutoff_at=None if deadline is None else deadline + manifest.policies.grace,
        )
    )


def _copy_answers(responses: list[Response], reopened: Attempt, now: datetime) -> None:
    """Begin the journal of an attempt with the answers that counted in an earlier one."""
    copies = [
        Response(
            attempt=reopened,
            learner_id=reopened.learner_id,
            slot=response.slot,
            revision=1,
            answer=response.answer,
            flagged=response.flagged,
            idempotency_key=uuid4(),
            language=response.language,
            received_at=now,
        )
        for response in responses
    ]
    append_to_chain(reopened.uuid, copies, None)
    Response.objects.bulk_create(copies)
