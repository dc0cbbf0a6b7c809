"""What statistics need of one graded attempt: plain values, without person or time of day."""

from dataclasses import dataclass
from fractions import Fraction

Choice = frozenset[str]
"""The ids of the options that were chosen; empty where an answer chose none of them."""


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """What one attempt answered to one question version, and what that earned.

    `credit` is the share of the points (below 0 where the author lets it cost), `points` what the
    slot is worth. `choice` is none where the kind has no options. `is_omitted`: nothing was
    answered; a response that says "none of these applies" is an answer. `seconds` is none where
    the time was not measured.
    """

    question: str
    credit: Fraction
    points: Fraction
    choice: Choice | None = None
    is_omitted: bool = False
    seconds: int | None = None

    @property
    def mark(self) -> Fraction:
        """Return what it earned, in points."""
        return self.credit * self.points


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One graded attempt at one quiz version.

    `score` is the attempt's total as graded, `maximum` what it could earn, `number` which attempt
    of the learner it is, `language` the language in which it was answered. Attempts of staff and
    void ones are for the caller to leave out.
    """

    language: str
    number: int
    score: Fraction
    maximum: Fraction
    responses: tuple[ItemResponse, ...]
    seconds: int | None = None

    @property
    def mark_total(self) -> Fraction:
        """Return the sum of the marks: the score, unless that was lifted to zero or rounded."""
        return sum((response.mark for response in self.responses), Fraction())
