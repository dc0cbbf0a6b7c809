"""Retention: events older than the limit go, whole seals of them; the seals stay as stubs.

The role that the site runs under can remove nothing: triggers refuse it. They are dropped for the
length of the transaction, which only the owner of the tables may do.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from quizzes.audit import services
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent, AuditSeal, SealedEvent
from quizzes.audit.verify import load_pruned_number
from quizzes.lib import triggers

PRUNED_TABLES = frozenset(model._meta.db_table for model in (AuditEvent, SealedEvent))


@dataclass(frozen=True, slots=True)
class Expired:
    """What is over its retention: the events of these seals."""

    first_seal: int
    last_seal: int
    event_count: int


def find_expired(*, before: datetime) -> Expired | None:
    """Return the seals from the oldest on whose events are all older; None if there are none."""
    pruned = load_pruned_number()
    remaining = AuditSeal.objects.filter(number__gt=pruned).order_by("number")
    first_kept = remaining.filter(last_event_at__gte=before).first()
    expired = remaining if first_kept is None else remaining.filter(number__lt=first_kept.number)
    numbers_and_counts = list(expired.values_list("number", "event_count"))
    if not numbers_and_counts:
        return None
    numbers, counts = zip(*numbers_and_counts, strict=True)
    return Expired(numbers[0], numbers[-1], sum(counts))


@transaction.atomic
def prune(*, expired: Expired) -> None:
    """Remove the events of these seals, and record that.

    Raises ProgrammingError where the database's role does not own the tables.
    """
    refusing = [trigger for trigger in triggers.list_triggers() if trigger.table in PRUNED_TABLES]
    triggers.drop_triggers(connection, refusing)
    sealed = SealedEvent.objects.filter(seal__number__range=(expired.first_seal, expired.last_seal))
    events = list(sealed.values_list("event_id", flat=True))
    sealed.delete()
    AuditEvent.objects.filter(pk__in=events).delete()
    triggers.install_triggers(connection, refusing)
    services.record(
        AuditCode.AUDIT_PRUNED,
        after={
            "first_seal": expired.first_seal,
            "last_seal": expired.last_seal,
            "events": expired.event_count,
        },
    )
