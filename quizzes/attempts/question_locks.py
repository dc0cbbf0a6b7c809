"""Leaving a question for good: where a quiz locks questions, the next one comes after it (ADR 58).

The attempt's `locked_slots` only grows: a trigger keeps it, and refuses answers to what is locked.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.attempts import rules
from quizzes.attempts.devices import check_device
from quizzes.attempts.journal import filter_unconfirmed
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, State
from quizzes.lib.errors import Invalid, NotFound, Refused


@transaction.atomic
def leave_question(
    *, attempt: UUID, learner: User, slot: int, now: datetime, device: UUID | None = None
) -> int:
    """Lock a question of one's own attempt and return the slot that is asked now.

    Asked again, it locks no further one. Not the learner's: NotFound. A slot that is not asked
    yet, or the last one: Invalid. The attempt is over (`over`), its quiz locks no questions
    (`not_locking`), it is open on another device (`elsewhere`), or a number can be read in two ways
    (`numbers_unconfirmed`): Refused.
    """
    row = Attempt.objects.select_for_update().filter(uuid=attempt, learner=learner).first()
    if row is None:
        raise NotFound
    manifest = Manifest.from_json(row.manifest)
    if not manifest.policies.lock_questions:
        raise Refused("not_locking")
    if slot < row.locked_slots:
        return row.locked_slots
    if slot > row.locked_slots or slot + 1 >= len(manifest.slots):
        raise Invalid("unknown_slot", where="slot", slot=slot)
    if row.state != State.OPEN or not rules.is_in_time(row.cutoff_at, now):
        raise Refused("over")
    check_device(row, manifest.policies, device)
    answers = Response.objects.filter(attempt=row, slot=slot)
    if filter_unconfirmed(answers).exists():
        raise Refused("numbers_unconfirmed", slots=[slot])
    row.locked_slots = slot + 1
    row.save(update_fields=["locked_slots", "updated_at"])
    return row.locked_slots
