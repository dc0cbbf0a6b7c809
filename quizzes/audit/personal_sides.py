"""The two sides of an audit event that may name persons: each has a salted digest (ADR 26, 31).

The seals cover the digests, not the words, so who erases a side and its salt leaves a log that can
still be verified.
"""

from dataclasses import dataclass
from typing import Any

from quizzes.lib.hash_chain import compute_salted_digest, make_salt


@dataclass(frozen=True, slots=True)
class PersonalSide:
    """The columns of one side of an event."""

    salt: str
    digest: str
    erasure: str
    texts: tuple[str, ...]

    @property
    def erasable(self) -> frozenset[str]:
        """What an erasure changes."""
        return frozenset({self.salt, self.erasure, *self.texts})


ACTOR = PersonalSide(
    "actor_salt", "actor_digest", "actor_erasure", ("actor_label", "address", "user_agent")
)
SUBJECT = PersonalSide(
    "subject_salt", "subject_digest", "subject_erasure", ("subject_label", "before", "after")
)
SIDES = (ACTOR, SUBJECT)


def add_digests(event: Any) -> None:
    """Salt both sides of a new event, and set their digests."""
    for side in SIDES:
        setattr(event, side.salt, make_salt())
        setattr(event, side.digest, compute_side_digest(event, side))


def compute_side_digest(event: Any, side: PersonalSide) -> bytes:
    """Return the digest of the salt and the texts of a side, 32 bytes."""
    salt = getattr(event, side.salt)
    texts = {name: getattr(event, name) for name in side.texts}
    return compute_salted_digest(b"" if salt is None else bytes(salt), texts)


def is_side_intact(event: Any, side: PersonalSide, erased: bool) -> bool:
    """Return whether a side is as it was written, or empty if it was `erased`."""
    if erased:
        return not any(getattr(event, name) for name in (side.salt, *side.texts))
    return compute_side_digest(event, side) == bytes(getattr(event, side.digest))
