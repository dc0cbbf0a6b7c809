"""The site without chain, codes of rows and receipt: what they cost is the difference.

`leave_out()` replaces in this process the functions that compute and sign by some that do nothing,
and the statement that grades by one without digests. It is no setting: nothing of the product
imports it, and rows that are written so are named by `verify_record`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch
from uuid import UUID

from quizzes.attempts import responses
from quizzes.attempts import services as attempts
from quizzes.attempts.journal import with_current_responses
from quizzes.attempts.models import Attempt
from quizzes.attempts.response_chain import ChainedResponse
from quizzes.lib.hash_chain import DIGEST_BYTES, SALT_BYTES
from quizzes.results import grading_records, selectors
from quizzes.results import services as results

ZEROS = bytes(DIGEST_BYTES)


class NoKeys:
    """Keys that authenticate nothing."""

    def compute_mac(self, _digest: bytes) -> bytes:
        """Return a code that is none."""
        return ZEROS


def number_responses(
    _attempt: UUID, appended: Iterable[ChainedResponse], head: ChainedResponse | None
) -> None:
    """Give new responses their place in the journal, and nothing else."""
    for sequence, response in enumerate(appended, start=head.sequence + 1 if head else 1):
        response.sequence, response.salt = sequence, ZEROS[:SALT_BYTES]
        response.answer_digest = response.digest = response.mac = ZEROS


def insert_attempt(attempt: Attempt) -> Attempt:
    """Insert a new attempt without a code, and return it."""
    attempt.mac = ZEROS
    attempt.save(force_insert=True)
    return attempt


REPLACED: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (attempts, "open_attempt", insert_attempt),
    (responses, "append_to_chain", number_responses),
    (results, "with_chain", with_current_responses),
    (results, "build_receipt", lambda _row, _now: None),
    (results, "sign_receipt", lambda _receipt: {}),
    (grading_records, "grading_fields", lambda *_: {}),
    (grading_records, "chain_digest", lambda *_: ZEROS),
    (grading_records, "load_signing_keys", NoKeys),
    (selectors, "receipt_digest", lambda _document: ""),
    (selectors, "parse_issued_at", lambda _document: None),
)
"""Where a function is called, its name there, and what is called instead."""


@contextmanager
def leave_out() -> Iterator[None]:
    """Let attempts of the block be taken without chain, codes and receipt."""
    with ExitStack() as stack:
        for module, name, replacement in REPLACED:
            stack.enter_context(patch.object(module, name, replacement))
        for name, skip_locked in (("_WAITING", False), ("_FREE", True)):  # compiled anew
            query = results._prepare_waiting(skip_locked=skip_locked)
            stack.enter_context(patch.object(results, name, query))
        yield
