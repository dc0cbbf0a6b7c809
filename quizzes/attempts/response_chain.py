"""The chain of an attempt's journal: what the digest of a response covers (ADR 25).

    answer_digest = SHA-256(salt + canonical JSON of the answer)
    digest        = SHA-256(digest of the response before + canonical JSON of `response_fields`)

The first response is chained to 32 zero bytes. Fields contain the answer's digest, never the
answer, so that answer and salt can be erased. `mac` authenticates the digest (ADR 50).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from quizzes.lib.hash_chain import (
    START,
    chain_digest,
    compute_salted_digest,
    format_time,
    make_salt,
)
from quizzes.lib.signing_keys import load_signing_keys


class ChainedResponse(Protocol):
    """What the chain reads of a row of the journal, and writes."""

    sequence: int
    slot: int
    revision: int
    status: str
    answer: Any
    flagged: bool
    idempotency_key: UUID
    client: UUID | None
    language: str
    received_at: datetime
    salt: Any
    answer_digest: Any
    digest: Any
    mac: Any


def response_fields(attempt: UUID, response: ChainedResponse) -> dict[str, Any]:
    """Return what the digest of a response covers, as JSON."""
    return {
        "attempt": str(attempt),
        "sequence": response.sequence,
        "slot": response.slot,
        "revision": response.revision,
        "status": str(response.status),
        "flagged": response.flagged,
        "idempotency_key": str(response.idempotency_key),
        "client": None if response.client is None else str(response.client),
        "language": response.language,
        "received_at": format_time(response.received_at),
        "answer_digest": bytes(response.answer_digest).hex(),
    }


def append_to_chain(
    attempt: UUID, responses: Iterable[ChainedResponse], head: ChainedResponse | None
) -> None:
    """Give new responses their place after `head`, the last of the journal: digests and MAC."""
    sequence, previous = (head.sequence, bytes(head.digest)) if head else (0, START)
    keys = load_signing_keys()
    for response in responses:
        sequence += 1
        response.sequence, response.salt = sequence, make_salt()
        response.answer_digest = compute_salted_digest(response.salt, response.answer)
        previous = chain_digest(previous, response_fields(attempt, response))
        response.digest, response.mac = previous, keys.compute_mac(previous)
