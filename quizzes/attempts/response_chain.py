"""The chain of an attempt's journal: what the digest of a response covers (ADR 25).

    answer_digest = SHA-256(salt + canonical JSON of the answer)
    digest        = SHA-256(digest of the response before + canonical JSON of `response_fields`)

The first response is chained to 32 zero bytes. Fields contain the answer's digest, never the
answer, so that answer and salt can be erased. `mac` authenticates the digest (ADR 50).
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
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
    chain_answers(responses, head, partial(response_fields, attempt), place="sequence")


def chain_answers(
    rows: Iterable[Any], head: Any, get_fields: Callable[[Any], Mapping[str, Any]], *, place: str
) -> None:
    """Give new rows with answers their place after `head`: number, salt, digests and MAC.

    `place` is the column that counts the rows, `get_fields` returns what a row's digest covers.
    """
    number, previous = (getattr(head, place), bytes(head.digest)) if head else (0, START)
    keys = load_signing_keys()
    for row in rows:
        number += 1
        setattr(row, place, number)
        row.salt = make_salt()
        row.answer_digest = compute_salted_digest(row.salt, row.answer)
        previous = chain_digest(previous, get_fields(row))
        row.digest, row.mac = previous, keys.compute_mac(previous)
