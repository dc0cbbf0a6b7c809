"""Verifying checkpoints: each signed and linked, each entry still true of what is stored today."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Max

from quizzes.attempts.models import Erasure
from quizzes.attempts.receipt import receipt_digest
from quizzes.lib.hash_chain import compute_digest, format_time
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.checkpoints import (
    EntriesDigest,
    compute_owner_digest,
    iterate_entries,
    list_checkpointed_kinds,
    read_content,
    summarize_entries,
)
from quizzes.results.models import Checkpoint, CheckpointEntry


def verify_checkpoints() -> Iterator[Differences]:
    """Verify each checkpoint and each of its entries."""
    previous: str | None = ""
    expected = 1
    for row in read_rows(Checkpoint.objects.order_by("number")):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
            previous = None
        else:
            yield _verify_row(row, previous, expected)
            yield from _verify_entries(row.number)
            previous = compute_digest(read_content(row.document)).hex()
        expected += 1
    newest = CheckpointEntry.objects.aggregate(newest=Max("checkpoint"))["newest"]
    if newest is not None and newest >= expected:
        yield (RecordDifference(f"checkpoint {newest}", "row", "missing", "its entries exist"),)


@dataclass(frozen=True, slots=True)
class CheckpointVerification:
    """What differs from a checkpoint, and how many of its entries were compared."""

    differences: Differences
    compared: int


def verify_checkpoint(row: Checkpoint, *, most: int) -> CheckpointVerification:
    """Verify one checkpoint, and as many of its entries as `most` says against what is stored."""
    before = Checkpoint.objects.filter(number=row.number - 1).first()
    previous = "" if before is None else compute_digest(read_content(before.document)).hex()
    differences = list(_verify_row(row, previous, row.number))
    compared = 0
    for entry_differences in islice(_verify_entries(row.number), most):
        compared += 1
        differences.extend(entry_differences)
    return CheckpointVerification(tuple(differences), compared)


def _verify_row(row: Checkpoint, previous: str | None, expected: int) -> Differences:
    """Return where a checkpoint differs; the one before it is not known where it is unreadable."""
    content, name = read_content(row.document), f"checkpoint {row.number}"
    pairs: dict[str, tuple[Any, Any]] = {
        "number": (content.get("number"), expected),
        "row": (row.number, expected),
        "made_at": (format_time(row.made_at), content.get("made_at")),
        "lasts": (row.lasts, content.get("lasts")),
    }
    if previous is not None:
        pairs["previous"] = (content.get("previous"), previous)
    try:
        pairs |= _compare_entries(content, iterate_entries(row.number))
    except UNREADABLE as error:
        pairs["entries"] = ("unreadable", describe_error(error))
    return (*verify_signature(name, row.document), *_to_differences(name, pairs))


def _verify_entries(number: int) -> Iterator[Differences]:
    for entry in read_rows(CheckpointEntry.objects.filter(checkpoint=number).order_by("attempt")):
        if isinstance(entry, UnreadableRow):
            yield (entry.to_difference(),)
            continue
        try:
            yield verify_entry(entry.attempt, entry.heads)
        except UNREADABLE as error:
            name = f"entry of attempt {entry.attempt} in checkpoint {number}"
            yield (RecordDifference(name, "heads", "unreadable", describe_error(error)),)


def verify_exported_checkpoint(lines: Iterator[Mapping[str, Any]]) -> Iterator[Differences]:
    """Verify what is stored against an exported checkpoint, which nobody here could change.

    Lines of another form: ValueError.
    """
    document = next(lines, {})
    content = read_content(document)
    name = f"exported checkpoint {content.get('number')}"
    yield verify_signature(name, document)
    over_all = EntriesDigest()
    for line in lines:
        try:
            attempt, heads = UUID(line["attempt"]), line["heads"]
        except (TypeError, LookupError) as error:
            raise ValueError("not an entry of a checkpoint") from error
        over_all.add(attempt, heads)
        yield verify_entry(attempt, heads)
    yield _to_differences(name, _compare_summary(content, over_all.to_json()))


def _compare_entries(
    content: Mapping[str, Any], entries: Iterable[tuple[UUID, Any]]
) -> dict[str, tuple[Any, Any]]:
    return _compare_summary(content, summarize_entries(entries))


def _compare_summary(
    content: Mapping[str, Any], computed: Mapping[str, Any]
) -> dict[str, tuple[Any, Any]]:
    return {place: (content.get(place), value) for place, value in computed.items()}


def verify_signature(name: str, signed: Any) -> Differences:
    """Return no difference if a key of this site signed the checkpoint."""
    if load_signing_keys().is_signed_document(signed, "checkpoint"):
        return ()
    signature = signed.get("signature") if isinstance(signed, dict) else signed
    return (RecordDifference(name, "signature", str(signature), "of a key of this site"),)


def verify_entry(uuid: UUID, heads: Mapping[str, Any]) -> Differences:
    """Return where an attempt or practised question has no more what an entry says it had.

    A practised question may be gone with its person, whose erasure is recorded.
    """
    kinds = list_checkpointed_kinds()
    kind = next((kind for kind in kinds if kind.chains.keys() & heads.keys()), kinds[0])
    name = f"{kind.parent._meta.verbose_name} {uuid}"
    row: Any = kind.parent._default_manager.filter(uuid=uuid).first()
    if row is None:
        if kind.goes_with_person and _is_erased(uuid, heads.get("owner")):
            return ()
        return (RecordDifference(name, "row", "missing", "in a checkpoint"),)
    pairs: dict[str, tuple[Any, Any]] = {}
    for chain, (model, count) in kind.chains.items():
        head = heads.get(chain)
        if head is not None:
            place = {kind.parent_field: row, count: head["count"]}
            at_head = model._default_manager.filter(**place)
            digest = at_head.values_list("digest", flat=True).first()
            stored = "missing" if digest is None else bytes(digest).hex()
            pairs[f"{chain}, row {head['count']}"] = (stored, head["digest"])
    if heads.get("receipt"):
        pairs["receipt"] = (receipt_digest(row.receipt), heads["receipt"])
    return _to_differences(name, pairs)


def _is_erased(uuid: UUID, owner: Any) -> bool:
    """Return whether the person is erased whose a practised question was."""
    erased = Erasure.objects.values_list("learner__uuid", flat=True).distinct()
    return any(compute_owner_digest(uuid, learner) == owner for learner in erased.iterator())


def _to_differences(name: str, pairs: Mapping[str, tuple[Any, Any]]) -> Differences:
    return tuple(
        RecordDifference(name, place, str(stored), str(computed))
        for place, (stored, computed) in pairs.items()
        if stored != computed
    )
