"""What retention removed, as signed statements in the log say, and which statements do not hold.

Whoever owns the tables can insert an event that says that rows were pruned. So the event carries a
signature over what was removed and by which retention, is itself under a seal, and must agree with
the signed seals, which stay.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Sum

from quizzes.audit.codes import AuditCode
from quizzes.audit.digests import compute_event_digest, describe_seal
from quizzes.audit.models import AuditEvent, AuditSeal
from quizzes.lib.row_reading import UnreadableRow, read_rows
from quizzes.lib.signing_keys import load_signing_keys


@dataclass(frozen=True, slots=True)
class PrunedSeals:
    """The seals that lost their events, how many those were, and the retention that was in force.

    `last_digest` is the digest of the last of these seals; all events were older than `before`,
    which is `days` before the removal.
    """

    first_seal: int
    last_seal: int
    last_digest: str
    events: int
    before: datetime
    days: int

    def to_signed_json(self) -> dict[str, Any]:
        """Return what the event of the removal says."""
        statement = {
            "first_seal": self.first_seal,
            "last_seal": self.last_seal,
            "last_digest": self.last_digest,
            "events": self.events,
            "before": self.before.isoformat(),
            "days": self.days,
        }
        return {**statement, **load_signing_keys().sign(statement)}


@dataclass(frozen=True, slots=True)
class ForgedPruning:
    """An event that says that rows were removed by retention, and why that is not so."""

    event: AuditEvent
    problem: str


def list_prunings() -> Iterator[PrunedSeals | ForgedPruning]:
    """Yield what each removal that the log knows of says, checked; unreadable rows are left out."""
    rows = AuditEvent.objects.filter(code=AuditCode.AUDIT_PRUNED).order_by("pk")
    for event in read_rows(rows.select_related("sealed__seal")):
        if not isinstance(event, UnreadableRow):
            yield _check(event)


def load_pruned_number() -> int:
    """Return up to which seal the events were removed by retention; 0 if none were."""
    prunings = list_prunings()
    return max((seals.last_seal for seals in prunings if isinstance(seals, PrunedSeals)), default=0)


def _check(event: AuditEvent) -> PrunedSeals | ForgedPruning:
    seals = _read(event.after)
    if seals is None:
        return ForgedPruning(event, "is not signed by a key of this site")
    problem = _find_problem_of_event(event, seals) or _find_problem_of_seals(seals)
    return ForgedPruning(event, problem) if problem else seals


def _read(after: object) -> PrunedSeals | None:
    """Return what a signed statement says; None if it is not signed."""
    if not isinstance(after, dict):
        return None
    statement = {name: cell for name, cell in after.items() if name not in {"key", "signature"}}
    # The same keys sign seals and receipts, too.
    if set(statement) != {column.name for column in fields(PrunedSeals)}:
        return None
    if not load_signing_keys().is_signed(statement, after.get("key"), after.get("signature")):
        return None
    return PrunedSeals(**{**statement, "before": datetime.fromisoformat(statement["before"])})


def _find_problem_of_event(event: AuditEvent, seals: PrunedSeals) -> str:
    """Return why the event itself is not to be believed; "" if it is."""
    sealed = getattr(event, "sealed", None)
    if sealed is None:
        return "is under no seal"
    if sealed.digest != compute_event_digest(event) or not _is_signed(sealed.seal):
        return f"is not what seal {sealed.seal.number} covers"
    if not seals.days or seals.before > sealed.seal.sealed_at - timedelta(days=seals.days):
        return f"names a time that its retention of {seals.days} days does not reach"
    return ""


def _find_problem_of_seals(seals: PrunedSeals) -> str:
    """Return how a statement differs from the seals that it names; "" if it does not."""
    last = AuditSeal.objects.filter(number=seals.last_seal).first()
    if last is None or last.digest != seals.last_digest or not _is_signed(last):
        return f"names seal {seals.last_seal}, which is another"
    pruned = AuditSeal.objects.filter(number__lte=seals.last_seal)
    named = pruned.filter(number__gte=seals.first_seal)
    if named.aggregate(events=Sum("event_count"))["events"] != seals.events:
        return f"does not name the events of seals {seals.first_seal} to {seals.last_seal}"
    newest = pruned.aggregate(newest=Max("last_event_at"))["newest"]
    if newest >= seals.before:
        return f"removed events of {newest:%Y-%m-%d}, which its retention keeps"
    return ""


def _is_signed(seal: AuditSeal) -> bool:
    return load_signing_keys().is_signed(describe_seal(seal), seal.key, seal.signature)
