"""Verifying journals and receipts: every digest computed again, every difference named."""

from collections.abc import Iterator
from typing import Any

from django.db.models import F

from quizzes.attempts.journal import with_chain
from quizzes.attempts.models import Attempt, Response, State
from quizzes.attempts.receipt import Receipt
from quizzes.attempts.response_chain import response_fields
from quizzes.lib.hash_chain import START, ChainReader, compute_digest, compute_salted_digest
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.signing_keys import load_signing_keys

CHUNK_SIZE = 200


def verify_responses() -> Iterator[Differences]:
    """Verify all journals row by row: the digest of each answer, of each row, and their order."""
    rows = Response.objects.order_by("attempt_id", "sequence").annotate(
        attempt_uuid=F("attempt__uuid"), learner_of_attempt=F("attempt__learner_id")
    )
    attempt_id, chain = 0, ChainReader()
    for row in rows.iterator(CHUNK_SIZE):
        if row.attempt_id != attempt_id:
            attempt_id, chain = row.attempt_id, ChainReader()
        digest, fields = bytes(row.digest), response_fields(row.attempt_uuid, row)
        differences = [*_response_differences(row), *chain.read(row.sequence, digest, fields)]
        yield tuple(
            RecordDifference(f"response {row.pk} of attempt {row.attempt_uuid}", *difference)
            for difference in differences
        )


def _response_differences(row: Any) -> Iterator[tuple[str, str, str]]:
    if row.learner_id != row.learner_of_attempt:
        yield "learner", str(row.learner_id), str(row.learner_of_attempt)
    if row.erasure_id is None:
        salt = b"" if row.salt is None else bytes(row.salt)
        answer_digest = compute_salted_digest(salt, row.answer)
        if bytes(row.answer_digest) != answer_digest:
            yield "answer", bytes(row.answer_digest).hex(), answer_digest.hex()


def verify_receipts() -> Iterator[Differences]:
    """Verify the receipt of each attempt that was handed in: signed, and as the record says."""
    ended = Attempt.objects.exclude(state=State.OPEN).order_by("pk")
    for row in with_chain(ended).iterator(CHUNK_SIZE):
        if row.receipt is None and row.state in {State.VOID, State.SUBMITTED}:
            continue
        yield tuple(
            RecordDifference(f"receipt of attempt {row.uuid}", *difference)
            for difference in _receipt_differences(row)
        )


def _receipt_differences(row: Attempt) -> Iterator[tuple[str, str, str]]:
    document = row.receipt if isinstance(row.receipt, dict) else {}
    keys, content = load_signing_keys(), document.get("receipt")
    if not keys.is_signed(content, document.get("key"), document.get("signature")):
        yield "signature", str(document.get("signature")), "of a key of this site"
    try:
        receipt = Receipt.from_json(content)
    except ValueError as error:
        yield "receipt", "unreadable", str(error)
        return
    yield from compare_receipt(receipt, row)


def compare_receipt(receipt: Receipt, row: Attempt) -> Iterator[tuple[str, str, str]]:
    """Yield where a receipt and the record part: place, by the receipt, by the record.

    The row is one of `with_chain`. What came after the receipt is no difference while it does not
    count: a late answer is kept, too.
    """
    attributes: Any = row
    pairs = {
        "attempt": (receipt.attempt, row.uuid),
        "learner": (receipt.learner, attributes.learner_uuid),
        "quiz": (receipt.quiz, attributes.quiz_uuid),
        "number": (receipt.number, row.number),
        "started": (receipt.started_at, row.started_at),
        "submitted": (receipt.submitted_at, row.submitted_at),
        "reason": (receipt.submission_reason, row.submission_reason),
        "manifest": (receipt.manifest_digest, compute_digest(row.manifest).hex()),
        "responses": (receipt.chain_head, _digest_at(row, receipt.responses)),
    }
    current = {
        response["slot"]: response["digest"] for response in attributes.current_responses or ()
    }
    for slot in sorted({*receipt.answers, *current}):
        pairs[f"slot {slot}"] = (receipt.answers.get(slot), current.get(slot))
    for place, (signed, stored) in pairs.items():
        if signed != stored:
            yield place, str(signed), str(stored)


def _digest_at(row: Attempt, sequence: int) -> str | None:
    """Return the digest of a row of the journal by its place; that before the first is zeros."""
    if sequence == 0:
        return START.hex()
    head: Any = getattr(row, "chain_head", None)
    if head and head["sequence"] == sequence:
        return str(head["digest"])
    digest = Response.objects.filter(attempt=row, sequence=sequence).values_list(
        "digest", flat=True
    )
    first = digest.first()
    return None if first is None else bytes(first).hex()
