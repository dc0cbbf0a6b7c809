"""What every question kind speaks: what goes in, what comes out, the five verbs between."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

from grading.json_types import Answer, Content, Json, Key, ratio_from_json, ratio_to_json
from grading.schema import QuestionSchema

ENGINE_VERSION = "1"
"""Named by every grading; raised whenever the same answer could earn a different mark."""

Detail: TypeAlias = Mapping[str, str | int]

ZERO = Fraction(0)
ONE = Fraction(1)

UNANSWERED = "unanswered"
WITHDRAWN = "withdrawn"
"""Answered once, but the version that now scores no longer has this part, or asks another thing."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a draft from being published; `where` is a path, `options.<id>` or `key`, say."""

    where: str
    code: str
    detail: Detail


def check_scoring_method(method: str, offered: Sequence[str]) -> tuple[Problem, ...]:
    """Return the problem of a scoring method that the kind does not offer."""
    if method in offered:
        return ()
    detail = {"scoring_method": method}
    return (Problem("scoring_method", "unknown_scoring_method", detail),)


@dataclass(frozen=True, slots=True)
class PublicQuestion:
    """What a taker may see of a question's structure; made without the key."""

    kind: str
    parts: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class InvalidAnswer:
    """Why a raw answer cannot be kept; the detail says `where`, and never echoes what was sent."""

    code: str
    detail: Detail


@dataclass(frozen=True, slots=True)
class NeedsManualGrading:
    """No machine may mark this answer; the result is provisional until a person has."""

    reason: str


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One line of a ledger: what a part earned, as a share of the item's points, and why.

    `part` is the id of an option, `none_apply`, or the name of a rule that adjusts the sum.
    `chosen` says what the learner did, `right` what the key says; both None for a rule's line.
    `right` is also None of an option that earns a part without being right.
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
    def from_json(cls, stored: Json) -> "LedgerLine":
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


def build_rule(part: str, earned: Fraction, reason: str) -> LedgerLine:
    """Return the line of a rule, which nobody chose and which is neither right nor wrong."""
    return LedgerLine(part, None, None, earned, reason)


def build_withdrawn(ids: Iterable[str]) -> list[LedgerLine]:
    """Return the lines of parts that were answered and are withdrawn since."""
    return [LedgerLine(id_, chosen=True, right=None, earned=ZERO, reason=WITHDRAWN) for id_ in ids]


@dataclass(frozen=True, slots=True)
class ItemScore:
    """What one answer earns, 1 at most, the ledger that adds up to it, and reason codes.

    A credit below 0 costs points; a kind allows it only as far as the question says.
    """

    credit: Fraction
    ledger: tuple[LedgerLine, ...]
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse a mark that is inexact, out of bounds, or other than the sum of its ledger."""
        if any(type(share) is not Fraction for share in self._shares()):
            raise TypeError("marks are fractions, end to end")
        if self.credit.numerator > self.credit.denominator:  # integers compare fast
            raise ValueError(f"a credit is 1 at most, not {self.credit}")
        earned = sum((line.earned for line in self.ledger if line.earned), ZERO)
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
    def from_json(cls, stored: Json) -> "ItemScore":
        """Read what `to_json` wrote; anything else, or what does not add up: ValueError."""
        match stored:
            case {"credit": credit, "ledger": [*lines], "reasons": [*reasons]}:
                ledger = tuple(LedgerLine.from_json(line) for line in lines)
                words = tuple(reason for reason in reasons if isinstance(reason, str))
                if len(words) == len(reasons):
                    return cls(ratio_from_json(credit), ledger, words)
        raise ValueError("not a mark")


class Kind(Protocol):
    """A question kind: a module with these names, registered by one line in `grading.kinds`.

    Content, key and scoring method given to any function but `validate` have passed it; if not:
    ValueError or KeyError.
    """

    name: str
    scoring_methods: tuple[str, ...]  # the first is the default
    schema: QuestionSchema

    def validate(self, content: Content, key: Key, method: str) -> tuple[Problem, ...]:
        """Return everything that keeps this draft from being published; never raises."""

    def shufflable_ids(self, content: Content) -> tuple[tuple[str, bool], ...]:
        """Return the ids of the parts in the author's order, each with whether it is pinned."""

    def public_view(self, content: Content, order: Sequence[str]) -> PublicQuestion:
        """Return what a taker may see, its parts in this order of all ids."""

    def parse(self, content: Content, raw: Json) -> Answer | InvalidAnswer | None:
        """Return the canonical form of a raw answer, None for unanswered, or why it is refused."""

    def score(
        self, content: Content, key: Key, answer: Json, method: str
    ) -> ItemScore | NeedsManualGrading:
        """Mark a canonical answer, or None for unanswered."""

    def correct_answer(self, content: Content, key: Key) -> Answer:
        """Return the canonical model answer, which earns 1 under every scoring_method."""
