"""One device at a time: an attempt is open where it was opened, until it is taken over (ADR 60).

A device is a random id that an interface keeps: pages in a cookie, programs as they like.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.attempts import rules
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import NotFound, Refused
from quizzes.publishing.policies import Policies


def check_device(row: Attempt, policies: Policies, device: UUID | None) -> None:
    """Refuse (`elsewhere`) what comes from another device than a locked, open attempt is open on.

    The first device that comes is the one; nothing is asked where any number of them is allowed.
    """
    if not policies.one_device:
        return
    if device is None or row.device not in {None, device}:
        raise Refused("elsewhere")
    if row.device is None:
        row.device = device
        row.save(update_fields=["device", "updated_at"])


def open_on_device(*, attempt: UUID, learner: User, device: UUID, now: datetime) -> UUID | None:
    """Open one's own attempt on a device if it is open on none; return the one that it is open on.

    Not the learner's: NotFound. Over: as it is.
    """
    with transaction.atomic():
        row = _lock(attempt, learner)
        if row.device is None and _is_going(row, now):
            row.device = device
            row.save(update_fields=["device", "updated_at"])
    return row.device


@transaction.atomic
def take_over(*, attempt: UUID, learner: User, device: UUID, now: datetime) -> None:
    """Go on with one's own attempt on this device; the earlier one can save no more.

    Done twice, it happens once. Not the learner's: NotFound. Over: Refused (`over`).
    """
    row = _lock(attempt, learner)
    if not _is_going(row, now):
        raise Refused("over")
    if row.device == device:
        return
    is_change = row.device is not None
    row.device, row.device_changes = device, row.device_changes + is_change
    row.save(update_fields=["device", "device_changes", "updated_at"])
    if is_change:
        record(
            AuditCode.ATTEMPT_MOVED,
            about=row,
            group=row.quiz.group_id,
            by=learner,
            before={"device_changes": row.device_changes - 1},
            after={"device_changes": row.device_changes},
        )


def _lock(attempt: UUID, learner: User) -> Attempt:
    own = Attempt.objects.filter(uuid=attempt, learner=learner).select_related("quiz")
    row = own.select_for_update(of=("self",)).first()
    if row is None:
        raise NotFound
    return row


def _is_going(row: Attempt, now: datetime) -> bool:
    return row.state == State.OPEN and rules.is_in_time(row.cutoff_at, now)
