"""Verifying journals and receipts: every digest computed again, every difference named."""

from collections.abc import Iterator
from typing import Any

from quizzes.attempts.chain_verification import find_erasable_differences, verify_chains
from quizzes.attempts.journal import with_chain
from quizzes.attempts.models import Attempt, Response, State
from quizzes.attempts.receipt import Receipt
from quizzes.attempts.response_chain import response_fields
from quizzes.lib.hash_chain import START, Difference, compute_digest
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.lib.signing_keys import load_signing_keys


def verify_responses() -> Iterator[Differences]:
    """Verify all journals row by row: the digest of each answer, of each row, and their order."""
    slot_counts = SlotCounts()

    def find_differences(row: Any) -> Iterator[Difference]:
        yield from find_erasable_differences(row, "answer", "answer_digest", "received_at")
        slots = slot_counts.count(row.attempt_id)
        if slots is not None and row.slot >= slots:
            yield "slot", str(row.slot), f"one of the {slots} of its attempt"

    yield from verify_chains(
        Response.objects.all(),
        "sequence",
        lambda row: response_fields(row.parent_uuid, row),
        find_differences,
    )


class SlotCounts:
    """How many slots attempts have, asked once for all rows of one that come together."""

    def __init__(self) -> None:
        self._attempt = 0
        self._slots: int | None = None

    def count(self, attempt: int) -> int | None:
        """Return how many slots an attempt has; None if its manifest cannot be read."""
        if attempt != self._attempt:
            self._attempt, self._slots = attempt, _count_slots(attempt)
        return self._slots


def _count_slots(attempt: int) -> int | None:
    try:
        row = Attempt.objects.only("manifest").get(pk=attempt)
        return len(row.manifest["slots"])
    except UNREADABLE:
        return None


def verify_receipts() -> Iterator[Differences]:
    """Verify the receipt of each attempt that was handed in: signed, and as the record says."""
    ended = Attempt.objects.exclude(state=State.OPEN, receipt=None).order_by("pk")
    for row in read_rows(with_chain(ended)):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
        elif row.receipt is not None or row.state == State.GRADED:
            yield _verify_receipt(row)


def _verify_receipt(row: Attempt) -> Differences:
    try:
        differences = list(_receipt_differences(row))
    except UNREADABLE as error:
        differences = [("attempt", "unreadable", describe_error(error))]
    return tuple(
        RecordDifference(f"receipt of attempt {row.uuid}", *difference)
        for difference in differences
    )


def _receipt_differences(row: Attempt) -> Iterator[tuple[str, str, str]]:
    document = row.receipt if isinstance(row.receipt, dict) else {}
    content = document.get("receipt")
    if not load_signing_keys().is_signed_document(row.receipt, "receipt"):
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
