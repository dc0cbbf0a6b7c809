"""The receipt of an attempt as a value: what it says, and how it stands in JSON. Pure (ADR 25)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from quizzes.lib.hash_chain import DIGEST_BYTES, compute_digest, format_time, parse_time

FORM = 1
PRACTISED = "practised"
"""In place of the reason for submitting: of a try in practice, which enters no grade."""
SHORT = 12
"""How many digits of a digest are shown to people."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was handed in, and when. Digests are hexadecimal.

    `answers` has the digest of each slot's current answer; a slot never answered is not in it.
    `responses` counts the rows of the journal until then, `chain_head` is the last one's digest.
    """

    attempt: UUID
    learner: UUID
    quiz: UUID
    number: int
    started_at: datetime
    submitted_at: datetime
    submission_reason: str
    issued_at: datetime
    manifest_digest: str
    responses: int
    chain_head: str
    answers: Mapping[int, str]

    @property
    def digest(self) -> str:
        """The digest of the receipt: what results, the API and the CSV name it by."""
        return compute_digest(self.to_json()).hex()

    @property
    def is_practised(self) -> bool:
        """Whether it is of a try in practice; `attempt` is the practised question then."""
        return self.submission_reason == PRACTISED

    def to_json(self) -> dict[str, Any]:
        """Return what is signed."""
        return {
            "form": FORM,
            "attempt": str(self.attempt),
            "learner": str(self.learner),
            "quiz": str(self.quiz),
            "number": self.number,
            "started_at": format_time(self.started_at),
            "submitted_at": format_time(self.submitted_at),
            "submission_reason": str(self.submission_reason),
            "issued_at": format_time(self.issued_at),
            "manifest_digest": self.manifest_digest,
            "responses": self.responses,
            "chain_head": self.chain_head,
            "answers": {str(slot): digest for slot, digest in sorted(self.answers.items())},
        }

    @classmethod
    def from_json(cls, stored: Any) -> "Receipt":
        """Read what `to_json` wrote; anything else, also with something added: ValueError."""
        try:
            receipt = cls._from_json(stored)
        except (TypeError, LookupError, AttributeError) as error:
            raise ValueError("not a receipt") from error
        if receipt.to_json() != stored:
            raise ValueError("not a receipt as this program writes it")
        return receipt

    @classmethod
    def _from_json(cls, stored: Mapping[str, Any]) -> "Receipt":
        return cls(
            attempt=UUID(stored["attempt"]),
            learner=UUID(stored["learner"]),
            quiz=UUID(stored["quiz"]),
            number=int(stored["number"]),
            started_at=parse_time(stored["started_at"]),
            submitted_at=parse_time(stored["submitted_at"]),
            submission_reason=stored["submission_reason"],
            issued_at=parse_time(stored["issued_at"]),
            manifest_digest=_digest(stored["manifest_digest"]),
            responses=int(stored["responses"]),
            chain_head=_digest(stored["chain_head"]),
            answers={int(slot): _digest(digest) for slot, digest in stored["answers"].items()},
        )


def _digest(text: str) -> str:
    if len(bytes.fromhex(text)) != DIGEST_BYTES:
        raise ValueError("a digest has 64 hexadecimal digits")
    return text


def parse_issued_at(document: Mapping[str, Any] | None) -> datetime | None:
    """Return when a signed receipt was issued; None for none or one of another form."""
    try:
        return Receipt.from_json((document or {})["receipt"]).issued_at
    except (ValueError, TypeError, LookupError):
        return None


def receipt_digest(document: Mapping[str, Any] | None) -> str:
    """Return the digest of a signed receipt as it is stored; "" for none or one of another form."""
    content = document.get("receipt") if isinstance(document, dict) else None
    return compute_digest(content).hex() if content else ""
