"""Receipts of tries: as a file, compared with the record, and verified with the journal."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.chain_verification import verify_chains
from quizzes.attempts.receipt import Receipt
from quizzes.attempts.receipt_file import CompareTry
from quizzes.bank.selectors import load_keys_and_feedback, load_public_versions
from quizzes.lib.errors import NotFound
from quizzes.lib.hash_chain import Difference, compute_salted_digest
from quizzes.lib.record_difference import Differences
from quizzes.lib.signing_keys import encode, load_signing_keys
from quizzes.practice.models import PracticeTry
from quizzes.practice.try_chain import build_try_receipt, try_fields
from quizzes.practice.try_scoring import score_try

_RELATED = ("question__version", "question__learner", "question__quiz")


def load_try_receipt_file(*, question: UUID, number: int, learner: User) -> dict[str, Any]:
    """Return the receipt of a try of one's own as a file, with the answer; else NotFound."""
    own = PracticeTry.objects.filter(learner=learner, question__uuid=question, number=number)
    row = own.first()
    if row is None:
        raise NotFound
    answer = {"slot": 0, "answer": row.answer, "salt": encode(bytes(row.salt))}
    return {**row.receipt, "answers": [answer]}


def visible_tries(viewer: UserOrAnonymous) -> QuerySet[PracticeTry]:
    """Return the tries that somebody may see: their own."""
    tries = PracticeTry.objects.all()
    return tries.filter(learner=viewer.pk) if viewer.pk else tries.none()


def compare_with_tries(tries: QuerySet[PracticeTry]) -> CompareTry:
    """Return the comparison of a receipt with these tries, which somebody may see."""

    def compare(receipt: Receipt) -> tuple[str, ...] | None:
        of_question = tries.filter(question__uuid=receipt.attempt)
        row = of_question.filter(number=receipt.responses).select_related(*_RELATED).first()
        if row is None:
            return ("try",) if of_question.exists() else None
        return tuple(place for place, _signed, _stored in _compare(receipt, row))

    return compare


def _compare(receipt: Receipt, row: PracticeTry) -> Iterator[Difference]:
    signed = receipt.to_json()
    stored = build_try_receipt(row.question, row).to_json()
    for place, expected in stored.items():
        if signed[place] != expected:
            yield place, str(signed[place]), str(expected)


def verify_tries() -> Iterator[Differences]:
    """Verify all tries row by row: answer, score, digest, place and receipt."""
    yield from verify_chains(
        PracticeTry.objects.select_related(*_RELATED),
        "number",
        lambda row: try_fields(row.parent_uuid, row),
        _find_differences,
        parent="question",
    )


def _find_differences(row: PracticeTry) -> Iterator[Difference]:
    digest, computed = bytes(row.answer_digest), compute_salted_digest(bytes(row.salt), row.answer)
    if digest != computed:
        yield "answer", digest.hex(), computed.hex()
        return
    version = row.question.version.uuid
    score = score_try(
        load_public_versions([version])[version],
        load_keys_and_feedback([version])[version],
        row.answer,
        row.question.scoring_method,
    )
    if row.score != score:
        yield "score", str(row.score), str(score)
    yield from _find_receipt_differences(row)


def _find_receipt_differences(row: PracticeTry) -> Iterator[Difference]:
    if not load_signing_keys().is_signed_document(row.receipt, "receipt"):
        yield "signature", str(row.receipt.get("signature")), "of a key of this site"
        return
    yield from _compare(Receipt.from_json(row.receipt["receipt"]), row)
