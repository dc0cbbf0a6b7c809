"""Retention: events older than the limit go, whole seals of them; the seals stay as stubs.

The role that the site runs under can remove nothing: triggers refuse it. They are dropped for the
length of the transaction, which only the owner of the tables may do.
"""

from datetime import datetime, timedelta

from django.db import connection, transaction

from quizzes.audit import sealing, services
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent, AuditSeal, SealedEvent
from quizzes.audit.prunings import PrunedSeals, load_pruned_number
from quizzes.lib import triggers
from quizzes.lib.errors import Conflict

PRUNED_TABLES = frozenset(model._meta.db_table for model in (AuditEvent, SealedEvent))


def find_expired(*, now: datetime, days: int) -> PrunedSeals | None:
    """Return the seals from the oldest on whose events are all older than so many days, if any."""
    before = now - timedelta(days=days)
    remaining = AuditSeal.objects.filter(number__gt=load_pruned_number()).order_by("number")
    first_kept = remaining.filter(last_event_at__gte=before).first()
    expired = remaining if first_kept is None else remaining.filter(number__lt=first_kept.number)
    seals = list(expired)
    if not seals:
        return None
    return PrunedSeals(
        first_seal=seals[0].number,
        last_seal=seals[-1].number,
        last_digest=seals[-1].digest,
        events=sum(seal.event_count for seal in seals),
        before=before,
        days=days,
    )


@transaction.atomic
def prune(*, expired: PrunedSeals, now: datetime) -> None:
    """Remove the events of these seals; record that, signed, and seal the record at once.

    Raises ProgrammingError where the database's role does not own the tables, and Conflict while
    another process seals.
    """
    if not sealing.lock():
        raise Conflict("audit_log_is_being_sealed")
    refusing = [trigger for trigger in triggers.list_triggers() if trigger.table in PRUNED_TABLES]
    triggers.drop_triggers(connection, refusing)
    sealed = SealedEvent.objects.filter(seal__number__range=(expired.first_seal, expired.last_seal))
    events = list(sealed.values_list("event_id", flat=True))
    sealed.delete()
    AuditEvent.objects.filter(pk__in=events).delete()
    triggers.install_triggers(connection, refusing)
    services.record(AuditCode.AUDIT_PRUNED, after=expired.to_signed_json())
    while sealing.seal(now=now) == sealing.BATCH:
        pass
