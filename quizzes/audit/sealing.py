"""Sealing: some audit events at a time get a digest that is chained to the seal before.

No sign-in waits for the chain: rows are written without it, and one sealer at a time follows.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from quizzes.audit.digests import (
    compute_event_digest,
    compute_events_digest,
    compute_seal_digest,
    describe_seal,
)
from quizzes.audit.models import AuditEvent, AuditSeal, SealedEvent
from quizzes.lib.advisory_lock import try_advisory_lock
from quizzes.lib.signing_keys import load_signing_keys

BATCH = 500
"""Events under one seal at most; what stays after one run is sealed by the next."""
LONGEST_TRANSACTION = timedelta(days=1)
"""A row may be committed so long after its time: an import writes all of it at its end."""


def list_unsealed(*, last_seal: AuditSeal | None) -> QuerySet[AuditEvent]:
    """Return the events that no seal covers, of those that can have been committed since."""
    events = AuditEvent.objects.filter(sealed=None).order_by("pk")
    if last_seal is not None:
        events = events.filter(created_at__gt=last_seal.sealed_at - LONGEST_TRANSACTION)
    return events


def load_last_seal() -> AuditSeal | None:
    """Return the end of the chain; None before the first seal."""
    return AuditSeal.objects.order_by("-number").first()


def lock() -> bool:
    """Become the one sealer until the transaction ends; return whether no other process is it."""
    return try_advisory_lock("audit.sealing")


@transaction.atomic
def seal(*, now: datetime, most: int = BATCH) -> int:
    """Seal the oldest unsealed events; return how many. None while another process seals."""
    if not lock():
        return 0
    last_seal = load_last_seal()
    events = list(list_unsealed(last_seal=last_seal)[:most])
    if events:
        _seal(events, last_seal, now)
    return len(events)


def _seal(events: Sequence[AuditEvent], last_seal: AuditSeal | None, now: datetime) -> None:
    digests = [compute_event_digest(event) for event in events]
    new_seal = AuditSeal(
        number=last_seal.number + 1 if last_seal else 1,
        sealed_at=now,
        event_count=len(events),
        last_event_at=max(event.created_at for event in events),
        events_digest=compute_events_digest(digests),
        previous_digest=last_seal.digest if last_seal else "",
    )
    new_seal.digest = compute_seal_digest(new_seal)
    signed = load_signing_keys().sign(describe_seal(new_seal))
    new_seal.key, new_seal.signature = signed["key"], signed["signature"]
    new_seal.save()
    SealedEvent.objects.bulk_create(
        SealedEvent(event=event, seal=new_seal, digest=digest)
        for event, digest in zip(events, digests, strict=True)
    )
