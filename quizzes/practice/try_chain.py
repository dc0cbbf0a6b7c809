"""The journal of a practised question: what digests and receipts of its tries cover (ADR 71).

Tries are chained as answers of an attempt are (attempts/response_chain.py), and a receipt is one of
an attempt whose only slot is the question. Neither covers a score: digests are published, and one
over a score would say whether the answer is right to whoever computes it for both.
"""

from functools import partial
from typing import Any
from uuid import UUID

from quizzes.attempts.receipt import PRACTISED, Receipt
from quizzes.attempts.receipts import sign_receipt
from quizzes.attempts.response_chain import chain_answers
from quizzes.lib.hash_chain import compute_digest, format_time
from quizzes.practice.models import PracticeQuestion, PracticeTry


def try_fields(question: UUID, row: PracticeTry) -> dict[str, Any]:
    """Return what the digest of a try covers, as JSON."""
    return {
        "question": str(question),
        "number": row.number,
        "idempotency_key": str(row.idempotency_key),
        "language": row.language,
        "tried_at": format_time(row.tried_at),
        "answer_digest": bytes(row.answer_digest).hex(),
    }


def compute_drawn_digest(question: PracticeQuestion) -> str:
    """Return the digest, as hexadecimal, of a practised question as it was drawn."""
    drawn = {
        "version": str(question.version.uuid),
        "order": question.order,
        "scoring_method": question.scoring_method,
        "credits": question.credits,
    }
    return compute_digest(drawn).hex()


def build_try_receipt(question: PracticeQuestion, row: PracticeTry) -> Receipt:
    """Return the receipt of a try, whose digests are there."""
    return Receipt(
        attempt=question.uuid,
        learner=question.learner.uuid,
        quiz=question.quiz.uuid,
        number=question.number,
        started_at=question.created_at,
        submitted_at=row.tried_at,
        submission_reason=PRACTISED,
        issued_at=row.tried_at,
        manifest_digest=compute_drawn_digest(question),
        responses=row.number,
        chain_head=bytes(row.digest).hex(),
        answers={0: bytes(row.answer_digest).hex()},
    )


def append_try(question: PracticeQuestion, row: PracticeTry, head: PracticeTry | None) -> None:
    """Insert a try with its receipt after `head`, the last one of its question, which is locked."""
    row.question, row.learner_id = question, question.learner_id
    chain_answers([row], head, partial(try_fields, question.uuid), place="number")
    row.receipt = sign_receipt(build_try_receipt(question, row))
    row.save(force_insert=True)
