"""Checking the audit log: which row was changed, is missing or was added (ADR 26, 56).

Each row has a code of its own, sealed or not; what is missing, the seals tell.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.audit.digests import (
    compute_event_digest,
    compute_events_digest,
    compute_seal_digest,
    describe_seal,
)
from quizzes.audit.erased_sides import ErasedSides
from quizzes.audit.models import AuditEvent, AuditSeal, SealedEvent
from quizzes.audit.prunings import ForgedPruning, list_prunings
from quizzes.audit.row_macs import is_authentic
from quizzes.audit.sealing import list_unsealed, load_last_seal
from quizzes.lib.row_reading import UnreadableRow, read_rows
from quizzes.lib.signing_keys import load_signing_keys

NOT_WRITTEN_HERE = "was changed, or was not written by this site"


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """Where the audit log is not as it was sealed."""

    place: str
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def verify_audit_log() -> Iterator[AuditDifference]:
    """Check each row, each seal and its place in the chain; yield every difference."""
    previous: AuditSeal | None = None
    pruned, erased = 0, ErasedSides()
    for erasure in erased.read_erasures():
        if isinstance(erasure, UnreadableRow):
            yield _describe_unreadable("audit erasure", erasure)
        else:
            text = "was not written by this site"
            yield AuditDifference(f"audit erasure {erasure.uuid} (row {erasure.pk})", text)
    for pruning in list_prunings():
        if isinstance(pruning, ForgedPruning):
            yield AuditDifference(_name_event(pruning.event), pruning.problem)
        else:
            pruned = max(pruned, pruning.last_seal)
    for seal in read_rows(AuditSeal.objects.order_by("number")):
        if isinstance(seal, UnreadableRow):
            yield _describe_unreadable("audit seal", seal)
            continue
        yield from _check_chain(seal, previous)
        if seal.number > pruned or SealedEvent.objects.filter(seal=seal).exists():
            yield from _check_events(seal, erased)
        previous = seal
    yield from _check_unsealed(erased)


def count_unsealed() -> int:
    """Return how many events wait for their seal: that one of them is gone is not noticed yet."""
    return list_unsealed(last_seal=load_last_seal()).count()


def _name_event(event: AuditEvent) -> str:
    return f"audit event {event.uuid} ({event.code}, row {event.pk})"


def _describe_unreadable(name: str, row: UnreadableRow) -> AuditDifference:
    return AuditDifference(f"{name} row {row.pk}", f"cannot be read: {row.reason}")


def _check_chain(seal: AuditSeal, previous: AuditSeal | None) -> Iterator[AuditDifference]:
    place = f"audit seal {seal.number}"
    expected_number = previous.number + 1 if previous else 1
    if seal.number != expected_number:
        yield AuditDifference(place, f"seal {expected_number} is missing before it")
    elif seal.previous_digest != (previous.digest if previous else ""):
        yield AuditDifference(place, "does not follow the seal before it")
    if seal.digest != compute_seal_digest(seal):
        yield AuditDifference(place, "was changed after it was made")
    if not load_signing_keys().is_signed(describe_seal(seal), seal.key, seal.signature):
        yield AuditDifference(place, "is not signed by a key of this site")


def _check_events(seal: AuditSeal, erased: ErasedSides) -> Iterator[AuditDifference]:
    sealed_events = SealedEvent.objects.filter(seal=seal).order_by("event_id")
    digests = list(sealed_events.values_list("digest", flat=True))
    present = 0
    for sealed in read_rows(sealed_events.select_related("event")):
        present += 1
        if isinstance(sealed, UnreadableRow):
            yield _describe_unreadable("audit event", sealed)
            continue
        event = sealed.event
        if sealed.digest != compute_event_digest(event) or not erased.is_intact(event):
            text = f"was changed after seal {seal.number}"
            yield AuditDifference(_name_event(event), text)
        elif not is_authentic(event):
            yield AuditDifference(_name_event(event), NOT_WRITTEN_HERE)
    if not len(digests) == present == seal.event_count:
        text = f"has {min(len(digests), present)} of {seal.event_count} events"
        yield AuditDifference(f"audit seal {seal.number}", text)
    elif compute_events_digest(digests) != seal.events_digest:
        text = "the digests of its events were changed"
        yield AuditDifference(f"audit seal {seal.number}", text)


def _check_unsealed(erased: ErasedSides) -> Iterator[AuditDifference]:
    """Check events without a seal; the sealer passes over those of long before the last seal."""
    last_seal = load_last_seal()
    sealer_sees = list_unsealed(last_seal=last_seal).order_by()
    late = AuditEvent.objects.filter(sealed=None).exclude(pk__in=sealer_sees.values("pk"))
    texts = {False: "", True: "was written long after the time that it names"}
    for is_late, events in ((False, list_unsealed(last_seal=last_seal)), (True, late)):
        for event in read_rows(events.order_by("pk")):
            if isinstance(event, UnreadableRow):
                yield _describe_unreadable("audit event", event)
                continue
            is_intact = is_authentic(event) and erased.is_intact(event)
            text = texts[is_late] if is_intact else NOT_WRITTEN_HERE
            if text:
                yield AuditDifference(_name_event(event), text)
