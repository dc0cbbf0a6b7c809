"""Making a checkpoint: what the chains of all attempts came to, signed once a day (ADR 25)."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from quizzes.attempts.journal import Hex
from quizzes.attempts.models import Attempt, Response
from quizzes.attempts.receipt import receipt_digest
from quizzes.lib.hash_chain import compute_digest, format_time
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.models import Checkpoint, CheckpointEntry, Grading, ManualGrade

FORM = 1
PAUSE = timedelta(hours=24)
OVERDUE = PAUSE + timedelta(hours=1)
"""How old a response may be before a checkpoint covers it."""
GAP_WINDOW = timedelta(days=31)
"""How long a gap between two checkpoints is named: it cannot be mended, only known."""
CHUNK_SIZE = 500
CHAINS: Mapping[str, tuple[type[Model], str]] = {
    "responses": (Response, "sequence"),
    "gradings": (Grading, "number"),
    "manual_grades": (ManualGrade, "number"),
}
"""The chains of an attempt: the table of each, and the column that counts its rows."""


def make_daily_checkpoint(*, now: datetime) -> Checkpoint | None:
    """Make a checkpoint if the last one is a day old; of two who try at once, one does."""
    last = Checkpoint.objects.order_by("number").last()
    if last is not None and now - last.made_at < PAUSE:
        return None
    try:
        return make_checkpoint(now=now)
    except IntegrityError:
        return None


def is_overdue(*, now: datetime) -> bool:
    """Return whether there are responses older than a day that no checkpoint covers."""
    last = Checkpoint.objects.order_by("number").last()
    if last is not None and now - last.made_at < PAUSE:
        return False
    covered = 0 if last is None else last.lasts.get("responses", 0)
    first = Response.objects.filter(pk__gt=covered).order_by("pk").first()
    return first is not None and now - first.received_at >= OVERDUE


@dataclass(frozen=True, slots=True)
class CheckpointGap:
    """A checkpoint that came too late: when it was made, and its oldest response was received."""

    number: int
    received_at: datetime
    made_at: datetime


def find_gaps(*, now: datetime) -> list[CheckpointGap]:
    """Return the checkpoints of GAP_WINDOW that left responses uncovered for 25 hours or more."""
    recent = Checkpoint.objects.filter(made_at__gt=now - GAP_WINDOW)
    before = Checkpoint.objects.filter(made_at__lte=now - GAP_WINDOW).order_by("number").last()
    covered = 0 if before is None else before.lasts.get("responses", 0)
    gaps = []
    for checkpoint in recent.order_by("number"):
        newest = checkpoint.lasts.get("responses", 0)
        responses = Response.objects.filter(pk__gt=covered, pk__lte=newest)
        oldest = responses.order_by("pk").values_list("received_at", flat=True).first()
        if oldest is not None and checkpoint.made_at - oldest >= OVERDUE:
            gaps.append(CheckpointGap(checkpoint.number, oldest, checkpoint.made_at))
        covered = newest
    return gaps


@transaction.atomic
def make_checkpoint(*, now: datetime) -> Checkpoint:
    """Write down and sign the heads of all chains that have changed since the last checkpoint.

    Made by somebody else at the same moment: IntegrityError, and nothing is written.
    """
    before = list(Checkpoint.objects.order_by("-number")[:2])
    number = before[0].number + 1 if before else 1
    # Where the rows end is read first: what is written meanwhile is looked at again.
    lasts = {name: _newest(model) for name, (model, _count) in CHAINS.items()}
    # Rows get their ids before they are committed, so those of the last period are looked at twice.
    for chunk in _changed_heads(before[1].lasts if before[1:] else {}):
        CheckpointEntry.objects.bulk_create(
            CheckpointEntry(checkpoint=number, attempt=attempt, heads=heads)
            for attempt, heads in chunk.items()
        )
    content = {
        "form": FORM,
        "number": number,
        "made_at": format_time(now),
        "previous": compute_digest(before[0].document["checkpoint"]).hex() if before else "",
        "lasts": lasts,
        **summarize_entries(iterate_entries(number)),
    }
    document = {"checkpoint": content, **load_signing_keys().sign(content)}
    return Checkpoint.objects.create(number=number, made_at=now, document=document, lasts=lasts)


def _newest(model: type[Model]) -> int:
    newest: int | None = model._default_manager.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _changed_heads(since: Mapping[str, int]) -> Iterator[dict[UUID, dict[str, Any]]]:
    """Yield the heads of attempts with rows since then, unless their last entry says the same."""
    changed = Q()
    for name, (model, _count) in CHAINS.items():
        rows = model._default_manager.filter(pk__gt=since.get(name, 0))
        changed |= Q(pk__in=rows.values("attempt"))
    chunk: dict[UUID, dict[str, Any]] = {}
    for row in with_heads(Attempt.objects.filter(changed)).order_by("pk").iterator(CHUNK_SIZE):
        chunk[row.uuid] = read_heads(row)
        if len(chunk) == CHUNK_SIZE:
            yield _without_unchanged(chunk)
            chunk = {}
    yield _without_unchanged(chunk)


def _without_unchanged(chunk: dict[UUID, dict[str, Any]]) -> dict[UUID, dict[str, Any]]:
    entries = CheckpointEntry.objects.filter(attempt__in=chunk).order_by("checkpoint")
    last = dict(entries.values_list("attempt", "heads"))
    return {attempt: heads for attempt, heads in chunk.items() if last.get(attempt) != heads}


def with_heads(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Add the head of each chain: {count, digest} of its last row, or None."""
    return attempts.annotate(
        **{
            f"{name}_head": Subquery(
                model._default_manager.filter(attempt=OuterRef("pk"))
                .order_by(f"-{count}")
                .values(head=JSONObject(count=count, digest=Hex("digest")))[:1]
            )
            for name, (model, count) in CHAINS.items()
        }
    )


def read_heads(row: Attempt) -> dict[str, Any]:
    """Return what an entry says of an attempt, a row of `with_heads`."""
    heads = {name: getattr(row, f"{name}_head") for name in CHAINS}
    return {**heads, "receipt": receipt_digest(row.receipt)}


def iterate_entries(number: int) -> Iterator[tuple[UUID, Any]]:
    """Yield attempt and heads of each entry of a checkpoint, in the order of the ids."""
    entries = CheckpointEntry.objects.filter(checkpoint=number).order_by("attempt")
    yield from entries.values_list("attempt", "heads").iterator(CHUNK_SIZE)


class EntriesDigest:
    """How many entries there are, and SHA-256 over the digests of all, in the order of the ids."""

    def __init__(self) -> None:
        self._count, self._digest = 0, hashlib.sha256()

    def add(self, attempt: UUID, heads: Any) -> None:
        """Take the next entry in."""
        self._count += 1
        self._digest.update(compute_digest({"attempt": str(attempt), "heads": heads}))

    def to_json(self) -> dict[str, Any]:
        """Return both, as a checkpoint states them."""
        return {"entries": self._count, "entries_digest": self._digest.hexdigest()}


def summarize_entries(entries: Iterable[tuple[UUID, Any]]) -> dict[str, Any]:
    """Return what a checkpoint states of its entries."""
    over_all = EntriesDigest()
    for attempt, heads in entries:
        over_all.add(attempt, heads)
    return over_all.to_json()


@dataclass(frozen=True, slots=True)
class CheckpointSummary:
    """What a checkpoint says, for people: digests in hexadecimal, the key by its id.

    `entries` is how many attempts had changed; empty or 0 is what its document does not have.
    """

    entries: int
    digest: str
    previous: str
    key: str


def summarize_checkpoint(checkpoint: Checkpoint) -> CheckpointSummary:
    """Return what a checkpoint says; its document may have any form."""
    document = checkpoint.document if isinstance(checkpoint.document, dict) else {}
    content = read_content(document)
    entries = content.get("entries")
    return CheckpointSummary(
        entries=entries if isinstance(entries, int) else 0,
        digest=compute_digest(content).hex(),
        previous=str(content.get("previous", "")),
        key=str(document.get("key", "")),
    )


def read_content(document: Any) -> Mapping[str, Any]:
    """Return the signed content of a checkpoint's document; of another form, nothing."""
    content = document.get("checkpoint") if isinstance(document, dict) else None
    return content if isinstance(content, dict) else {}


def export_checkpoint(checkpoint: Checkpoint) -> Iterator[dict[str, Any]]:
    """Yield a checkpoint as the lines of a file: the signed document, then each of its entries."""
    yield checkpoint.document
    for attempt, heads in iterate_entries(checkpoint.number):
        yield {"attempt": str(attempt), "heads": heads}
