"""Digests of rows, chained: pure, with the standard library only (ADR 25).

The canonical form of a value is its JSON as RFC 8785 writes it: keys in order, no blanks, UTF-8.
A chain covers digests alone, never a text: whoever erases a text together with its salt leaves a
chain that can still be verified, and a digest from which nobody guesses a short text back.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

SALT_BYTES = 16
DIGEST_BYTES = 32
START = bytes(DIGEST_BYTES)
"""What the first row of a chain is chained to."""


def to_canonical_json(value: Any) -> bytes:
    """Return the canonical form of a JSON value: equal values, equal bytes.

    Keys are sorted by code point, and numbers are whole: for those, it is what RFC 8785 asks for.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def make_salt() -> bytes:
    """Return 16 random bytes."""
    return os.urandom(SALT_BYTES)


def compute_salted_digest(salt: bytes, value: Any) -> bytes:
    """Return SHA-256 over the salt and the canonical form of a value, 32 bytes."""
    return hashlib.sha256(salt + to_canonical_json(value)).digest()


def compute_digest(value: Any) -> bytes:
    """Return SHA-256 over the canonical form of a value, 32 bytes."""
    return hashlib.sha256(to_canonical_json(value)).digest()


def chain_digest(previous: bytes, fields: Mapping[str, Any]) -> bytes:
    """Return the digest of a row: SHA-256 over the digest before it and its own fields."""
    return hashlib.sha256(previous + to_canonical_json(fields)).digest()


def compute_mac(key: bytes, digest: bytes) -> bytes:
    """Return the code of a row that only who has the key can write: HMAC-SHA-256, 32 bytes."""
    return hmac.digest(key, digest, "sha256")


def format_time(moment: datetime) -> str:
    """Return a time as digests contain it: `2026-11-22T16:00:00.000000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Read what `format_time` wrote; anything else: ValueError."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


Difference = tuple[str, str, str]
"""A place in a row, what is stored there, and what it should be."""


class ChainReader:
    """Reads the rows of a chain in their order and says which of them differ from their digests.

    A row whose own digest was changed is one difference, not two: the next row may be chained to
    the digest that it should have had.
    """

    def __init__(self) -> None:
        self._heads: set[bytes] | None = {START}
        self.expected = 1
        """The place in the chain that the next row should have."""

    def skip(self) -> None:
        """Let the next row stand anywhere: the one before it cannot be read."""
        self._heads = None

    def read(self, place: int, digest: bytes, fields: Mapping[str, Any]) -> list[Difference]:
        """Return the differences of the next row."""
        differences: list[Difference] = []
        computed = {chain_digest(head, fields) for head in self._heads or ()}
        if self._heads is None:
            pass  # what it is chained to is not known
        elif place != self.expected:
            differences.append(("place in the chain", str(place), str(self.expected)))
        elif digest not in computed:
            differences.append(("digest", digest.hex(), min(computed).hex()))
        self.expected, self._heads = place + 1, {digest, *computed}
        return differences
