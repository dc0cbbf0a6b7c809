"""Receipts as files: what a learner downloads, and what is to be said of one that somebody brings.

The file is the signed receipt with the learner's answers and their salts beside it. These are not
signed: each is proved by its digest, which is.
"""

import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from quizzes.attempts.access import visible_to
from quizzes.attempts.journal import current_response_ids, with_chain
from quizzes.attempts.models import Attempt, Response
from quizzes.attempts.receipt import Receipt
from quizzes.attempts.verification import compare_receipt
from quizzes.lib.errors import NotFound
from quizzes.lib.hash_chain import compute_salted_digest
from quizzes.lib.signing_keys import decode, encode, load_signing_keys

MAX_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """What is to be said of a receipt: codes, for interfaces to put in words.

    `verdict` is genuine, unreadable, key_unknown or signature_wrong. `answers` is how many of the
    answers in the file were proved, or None where the file has none; `wrong_answers` are the slots
    whose answer is not the one that was handed in. `record` is agrees, differs, or "" where this
    person may not see the attempt; `differences` are the places.
    """

    verdict: str
    receipt: Receipt | None = None
    key: str = ""
    answers: int | None = None
    wrong_answers: tuple[int, ...] = ()
    record: str = ""
    differences: tuple[str, ...] = ()

    @property
    def is_practised(self) -> bool:
        """Whether it is of a try in practice."""
        return self.receipt is not None and self.receipt.is_practised

    @property
    def is_genuine(self) -> bool:
        """Whether this site signed it, and nothing in the file contradicts it."""
        return self.verdict == "genuine" and not self.wrong_answers


def load_receipt_file(*, attempt: UUID, viewer: UserOrAnonymous) -> dict[str, Any]:
    """Return the receipt of an attempt as a file, for its learner and those who oversee it.

    Not theirs, or not handed in yet: NotFound. Answers that were erased are not in it.
    """
    row = visible_to(viewer).filter(uuid=attempt, receipt__isnull=False).first()
    if row is None or row.receipt is None:
        raise NotFound
    rows = Response.objects.filter(pk__in=current_response_ids(row), salt__isnull=False)
    answers = [
        {"slot": response.slot, "answer": response.answer, "salt": encode(bytes(response.salt))}
        for response in rows.order_by("slot")
        if response.salt is not None
    ]
    return {**row.receipt, "answers": answers}


CompareTry = Callable[[Receipt], tuple[str, ...] | None]
"""Return where a receipt of practice differs from the record; None where it may not be seen."""


def check_receipt(
    text: str, attempts: QuerySet[Attempt], compare_try: CompareTry = lambda _receipt: None
) -> ReceiptCheck:
    """Check a receipt that somebody brings: form, signature, answers, and the record.

    `attempts` are those that this person may see; the record of others is not compared.
    """
    try:
        document = json.loads(text[:MAX_CHARACTERS])
        receipt = Receipt.from_json(document["receipt"])
        key, signature = document["key"], document["signature"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return ReceiptCheck("unreadable")
    keys = load_signing_keys()
    if not keys.is_known(key):
        return ReceiptCheck("key_unknown", receipt, str(key))
    if not keys.is_signed(document["receipt"], key, signature):
        return ReceiptCheck("signature_wrong", receipt, key)
    proved, wrong = _check_answers(receipt, document.get("answers"))
    if receipt.is_practised:
        differences = compare_try(receipt)
    else:
        differences = _compare_with_record(receipt, attempts)
    record = "" if differences is None else "differs" if differences else "agrees"
    return ReceiptCheck("genuine", receipt, key, proved, wrong, record, differences or ())


def _compare_with_record(receipt: Receipt, attempts: QuerySet[Attempt]) -> tuple[str, ...] | None:
    row = with_chain(attempts.filter(uuid=receipt.attempt)).first()
    if row is None:
        return None
    return tuple(place for place, _signed, _stored in compare_receipt(receipt, row))


def _check_answers(receipt: Receipt, answers: Any) -> tuple[int | None, tuple[int, ...]]:
    """Return how many answers of the file were proved, and the slots of those that were not."""
    if not isinstance(answers, list) or not answers:
        return None, ()
    wrong = [
        answer.get("slot", -1) if isinstance(answer, dict) else -1
        for answer in answers
        if not _is_proved(receipt, answer)
    ]
    return len(answers) - len(wrong), tuple(slot if type(slot) is int else -1 for slot in wrong)


def _is_proved(receipt: Receipt, answer: Mapping[str, Any]) -> bool:
    try:
        digest = compute_salted_digest(decode(answer["salt"]), answer["answer"])
        return hmac.compare_digest(receipt.answers[answer["slot"]], digest.hex())
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False
