"""What every question kind speaks: what goes in, what comes out, the five verbs between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

from grading.plain import Answer as Answer
from grading.plain import Content as Content
from grading.plain import Json as Json
from grading.plain import Key as Key
from grading.plain import ratio_from_json as ratio_from_json
from grading.plain import ratio_to_json as ratio_to_json
from grading.shape import Shape

ENGINE_VERSION = "1"
"""Named by every grading; raised whenever the same answer could earn a different mark."""

Detail: TypeAlias = Mapping[str, str | int]

NOTHING = Fraction(0)
EVERYTHING = Fraction(1)


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a draft from being published; `where` is a path, `options.<id>` or `key`, say."""

    where: str
    code: str
    detail: Detail


def check_scoring_method(scoring_method: str, offered: Sequence[str]) -> tuple[Problem, ...]:
    """Return the problem of a scoring method that the kind does not offer."""
    if scoring_method in offered:
        return ()
    detail = {"scoring_method": scoring_method}
    return (Problem("scoring_method", "unknown_scoring_method", detail),)


@dataclass(frozen=True, slots=True)
class Presented:
    """What a taker may see of a question's structure; made without the key."""

    kind: str
    parts: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a raw answer cannot be kept; the detail says `where`, and never echoes what was sent."""

    code: str
    detail: Detail


@dataclass(frozen=True, slots=True)
class NeedsPerson:
    """No machine may mark this answer; the result is provisional until a person has."""

    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ledger: what a part earned, as a share of the item's points, and why.

    `part` is the id of an option, `none_apply`, or the name of a rule that adjusts the sum.
    `chosen` says what the learner did, `right` what the key says; both None for a rule's line.
    """

    part: str
    chosen: bool | None
    right: bool | None
    earned: Fraction
    reason: str

    def to_json(self) -> dict[str, Json]:
        """Return the line as JSON, its share as [numerator, denominator]."""
        return {
            "part": self.part,
            "chosen": self.chosen,
            "right": self.right,
            "earned": ratio_to_json(self.earned),
            "reason": self.reason,
        }

    @classmethod
    def from_json(cls, stored: Json) -> "Line":
        """Read what `to_json` wrote; anything else: ValueError."""
        match stored:
            case {
                "part": str(part),
                "chosen": bool() | None as chosen,
                "right": bool() | None as right,
                "earned": earned,
                "reason": str(reason),
            }:
                return cls(part, chosen, right, ratio_from_json(earned), reason)
        raise ValueError("not a line of a ledger")


@dataclass(frozen=True, slots=True)
class Mark:
    """What one answer earns, from 0 to 1, the ledger that adds up to it, and reason codes."""

    credit: Fraction
    ledger: tuple[Line, ...]
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse a mark that is inexact, out of bounds, or other than the sum of its ledger."""
        if any(type(share) is not Fraction for share in self._shares()):
            raise TypeError("marks are fractions, end to end")
        if not 0 <= self.credit.numerator <= self.credit.denominator:  # integers compare fast
            raise ValueError(f"a credit lies between 0 and 1, not at {self.credit}")
        earned = sum((line.earned for line in self.ledger if line.earned), NOTHING)
        if earned != self.credit:
            raise ValueError(f"the ledger adds up to {earned}, the credit is {self.credit}")

    def _shares(self) -> list[Fraction]:
        return [self.credit, *(line.earned for line in self.ledger)]

    def to_json(self) -> dict[str, Json]:
        """Return the mark as JSON, every share as [numerator, denominator]."""
        return {
            "credit": ratio_to_json(self.credit),
            "ledger": [line.to_json() for line in self.ledger],
            "reasons": list(self.reasons),
        }

    @classmethod
    def from_json(cls, stored: Json) -> "Mark":
        """Read what `to_json` wrote; anything else, or what does not add up: ValueError."""
        match stored:
            case {"credit": credit, "ledger": [*lines], "reasons": [*reasons]}:
                ledger = tuple(Line.from_json(line) for line in lines)
                words = tuple(reason for reason in reasons if isinstance(reason, str))
                if len(words) == len(reasons):
                    return cls(ratio_from_json(credit), ledger, words)
        raise ValueError("not a mark")


class Kind(Protocol):
    """A question kind: a module with these names, registered by one line in `grading.kinds`.

    Content, key and scoring method given to any verb but `check` have passed it; if they have not,
    ValueError or KeyError.
    """

    name: str
    scoring_methods: tuple[str, ...]  # the first is the default
    shape: Shape

    def check(self, content: Content, key: Key, scoring_method: str) -> tuple[Problem, ...]:
        """Return everything that keeps this draft from being published; never raises."""

    def orderable(self, content: Content) -> tuple[tuple[str, bool], ...]:
        """Return the ids of the parts in the author's order, each with whether it is pinned."""

    def present(self, content: Content, order: Sequence[str]) -> Presented:
        """Return what a taker may see, its parts in this order of all ids."""

    def read(self, content: Content, raw: Json) -> Answer | Unreadable | None:
        """Return the canonical form of a raw answer, None for unanswered, or why it is refused."""

    def mark(
        self, content: Content, key: Key, answer: Json, scoring_method: str
    ) -> Mark | NeedsPerson:
        """Mark a canonical answer, or None for unanswered."""

    def solution(self, content: Content, key: Key) -> Answer:
        """Return the canonical model answer, which earns 1 under every scoring_method."""
