"""Making a checkpoint: what the chains of the whole record came to, signed once a day (ADR 25)."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, cast
from uuid import UUID

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import F, Max, Model, OuterRef, Q, QuerySet, Subquery
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


@dataclass(frozen=True, slots=True)
class CheckpointedKind:
    """What has chains of its own, an attempt or a practised question.

    `parent_field` is the column by which the rows of each chain name it, `chains` are as CHAINS.
    Where `goes_with_person`, its rows are deleted when their learner is erased.
    """

    parent: type[Model]
    parent_field: str
    chains: Mapping[str, tuple[type[Model], str]]
    goes_with_person: bool


def list_checkpointed_kinds() -> list[CheckpointedKind]:
    """Return attempts, then what models of higher layers name by `checkpoint_chain`.

    It is the name of their chain and the column that counts its rows; this layer imports none.
    """
    chains: defaultdict[tuple[Any, str], dict[str, tuple[type[Model], str]]] = defaultdict(dict)
    for model in apps.get_models():
        name, count = getattr(model, "checkpoint_chain", ("", ""))
        if name:
            parent_field = cast("Any", model).learner_from
            parent = model._meta.get_field(parent_field).related_model
            chains[parent, parent_field][name] = (model, count)
    return [
        CheckpointedKind(Attempt, "attempt", CHAINS, goes_with_person=False),
        *(
            CheckpointedKind(parent, parent_field, of_parent, goes_with_person=True)
            for (parent, parent_field), of_parent in chains.items()
        ),
    ]


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
    kinds = list_checkpointed_kinds()
    lasts = {
        name: _newest(model) for kind in kinds for name, (model, _count) in kind.chains.items()
    }
    # Rows get their ids before they are committed, so those of the last period are looked at twice.
    since = before[1].lasts if before[1:] else {}
    for chunk in chain.from_iterable(_changed_heads(kind, since) for kind in kinds):
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


def _changed_heads(
    kind: CheckpointedKind, since: Mapping[str, int]
) -> Iterator[dict[UUID, dict[str, Any]]]:
    """Yield the heads of what has rows since then, unless its last entry says the same."""
    changed = Q()
    for name, (model, _count) in kind.chains.items():
        rows = model._default_manager.filter(pk__gt=since.get(name, 0))
        changed |= Q(pk__in=rows.values(kind.parent_field))
    chunk: dict[UUID, dict[str, Any]] = {}
    for row in with_heads(kind, changed).order_by("pk").iterator(CHUNK_SIZE):
        chunk[row.uuid] = read_heads(kind, row)
        if len(chunk) == CHUNK_SIZE:
            yield _without_unchanged(chunk)
            chunk = {}
    yield _without_unchanged(chunk)


def _without_unchanged(chunk: dict[UUID, dict[str, Any]]) -> dict[UUID, dict[str, Any]]:
    entries = CheckpointEntry.objects.filter(attempt__in=chunk).order_by("checkpoint")
    last = dict(entries.values_list("attempt", "heads"))
    return {attempt: heads for attempt, heads in chunk.items() if last.get(attempt) != heads}


def with_heads(kind: CheckpointedKind, condition: Q) -> QuerySet[Any]:
    """Return rows of a kind with the head of each chain: {count, digest} of its last row, or None.

    They have `learner_uuid`, too.
    """
    rows: QuerySet[Any] = kind.parent._default_manager.filter(condition).annotate(
        learner_uuid=F("learner__uuid"),
        **{
            f"{name}_head": Subquery(
                model._default_manager.filter(**{kind.parent_field: OuterRef("pk")})
                .order_by(f"-{count}")
                .values(head=JSONObject(count=count, digest=Hex("digest")))[:1]
            )
            for name, (model, count) in kind.chains.items()
        },
    )
    return rows


def read_heads(kind: CheckpointedKind, row: Any) -> dict[str, Any]:
    """Return what an entry says of a row of `with_heads`.

    Of an attempt also its receipt; of what goes with its person whose it was, as a digest by which
    an erasure is recognized.
    """
    heads = {name: getattr(row, f"{name}_head") for name in kind.chains}
    if kind.goes_with_person:
        return {**heads, "owner": compute_owner_digest(row.uuid, row.learner_uuid)}
    return {**heads, "receipt": receipt_digest(row.receipt)}


def compute_owner_digest(parent: UUID, learner: UUID) -> str:
    """Return the digest, as hexadecimal, that names whose a practised question was."""
    return compute_digest({"of": str(parent), "learner": str(learner)}).hex()


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

    `entries` is how many attempts and practised questions had changed; empty or 0 is what its
    document does not have.
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
