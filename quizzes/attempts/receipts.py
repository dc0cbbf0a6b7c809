"""Issuing the receipt of a submitted attempt: built from the journal, signed, stored once."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from quizzes.attempts.journal import with_chain
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.receipt import Receipt
from quizzes.lib.hash_chain import START, compute_digest
from quizzes.lib.signing_keys import load_signing_keys


def build_receipt(row: Attempt, now: datetime) -> Receipt:
    """Return the receipt of a submitted attempt, a row of `with_chain`."""
    responses: Any = getattr(row, "current_responses", None) or ()
    head: Any = getattr(row, "chain_head", None) or {"sequence": 0, "digest": START.hex()}
    return Receipt(
        attempt=row.uuid,
        learner=row.learner_uuid,  # type: ignore[attr-defined]  # an annotation of `with_chain`
        quiz=row.quiz_uuid,  # type: ignore[attr-defined]  # another one
        number=row.number,
        started_at=row.started_at,
        submitted_at=row.submitted_at or now,
        submission_reason=row.submission_reason,
        issued_at=now,
        manifest_digest=compute_digest(row.manifest).hex(),
        responses=head["sequence"],
        chain_head=head["digest"],
        answers={response["slot"]: response["digest"] for response in responses},
    )


def sign_receipt(receipt: Receipt) -> dict[str, Any]:
    """Return the document that is stored and downloaded: receipt, id of the key, signature."""
    content = receipt.to_json()
    return {"receipt": content, **load_signing_keys().sign(content)}


@transaction.atomic
def issue_receipt(*, attempt: UUID, now: datetime) -> bool:
    """Issue the receipt of an attempt that is submitted and has none; return whether this did it.

    Grading issues it with its own statements; this is for attempts that could not be graded.
    """
    waiting = Attempt.objects.filter(uuid=attempt, state=State.SUBMITTED, receipt__isnull=True)
    row = with_chain(waiting).select_for_update(of=("self",)).first()
    if row is None:
        return False
    document = sign_receipt(build_receipt(row, now))
    return bool(Attempt.objects.filter(pk=row.pk, receipt__isnull=True).update(receipt=document))
