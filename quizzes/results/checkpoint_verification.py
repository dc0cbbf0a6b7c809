"""Verifying checkpoints: each signed and linked, each entry still true of what is stored today."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Max

from quizzes.attempts.models import Attempt
from quizzes.attempts.receipt import receipt_digest
from quizzes.lib.hash_chain import compute_digest
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.checkpoints import (
    CHAINS,
    EntriesDigest,
    iterate_entries,
    summarize_entries,
)
from quizzes.results.models import Checkpoint, CheckpointEntry


def verify_checkpoints() -> Iterator[Differences]:
    """Verify each checkpoint and each of its entries."""
    previous, expected = "", 1
    for checkpoint in Checkpoint.objects.order_by("number").iterator():
        name, document = f"checkpoint {checkpoint.number}", checkpoint.document
        content = document.get("checkpoint", {})
        pairs = {
            "number": (content.get("number"), expected),
            "row": (checkpoint.number, expected),
            "previous": (content.get("previous"), previous),
            **_compare_entries(content, iterate_entries(checkpoint.number)),
        }
        yield (*verify_signature(name, document), *_to_differences(name, pairs))
        for attempt, heads in iterate_entries(checkpoint.number):
            yield verify_entry(attempt, heads)
        previous, expected = compute_digest(content).hex(), expected + 1
    newest = CheckpointEntry.objects.aggregate(newest=Max("checkpoint"))["newest"]
    if newest is not None and newest >= expected:
        yield (RecordDifference(f"checkpoint {newest}", "row", "missing", "its entries exist"),)


def verify_exported_checkpoint(lines: Iterator[Mapping[str, Any]]) -> Iterator[Differences]:
    """Verify what is stored against an exported checkpoint, which nobody here could change.

    Lines of another form: ValueError.
    """
    document = next(lines, {})
    content = document.get("checkpoint", {}) if isinstance(document, dict) else {}
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


def verify_signature(name: str, document: Mapping[str, Any]) -> Differences:
    """Return no difference if a key of this site signed the checkpoint."""
    signature = document.get("signature")
    keys = load_signing_keys()
    if keys.is_signed(document.get("checkpoint"), document.get("key"), signature):
        return ()
    return (RecordDifference(name, "signature", str(signature), "of a key of this site"),)


def verify_entry(attempt: UUID, heads: Mapping[str, Any]) -> Differences:
    """Return where an attempt no longer has what an entry of a checkpoint says it had."""
    name, row = f"attempt {attempt}", Attempt.objects.filter(uuid=attempt).first()
    if row is None:
        return (RecordDifference(name, "row", "missing", "in a checkpoint"),)
    pairs: dict[str, tuple[Any, Any]] = {}
    for chain, (model, count) in CHAINS.items():
        head = heads.get(chain)
        if head is not None:
            at_head = model._default_manager.filter(attempt=row, **{count: head["count"]})
            digest = at_head.values_list("digest", flat=True).first()
            stored = "missing" if digest is None else bytes(digest).hex()
            pairs[f"{chain}, row {head['count']}"] = (stored, head["digest"])
    if heads.get("receipt"):
        pairs["receipt"] = (receipt_digest(row.receipt), heads["receipt"])
    return _to_differences(name, pairs)


def _to_differences(name: str, pairs: Mapping[str, tuple[Any, Any]]) -> Differences:
    return tuple(
        RecordDifference(name, place, str(stored), str(computed))
        for place, (stored, computed) in pairs.items()
        if stored != computed
    )
