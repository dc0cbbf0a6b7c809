"""How well a topic is known, and how sure that is: Wilson's interval of the share of right answers.

Wilson, E. B. (1927): Probable inference, the law of succession, and statistical inference,
Journal of the American Statistical Association 22, 209-212. At 90 %. Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizzes.statistics.domain.intervals import compute_wilson

CONFIDENCE: Final = 0.9
KNOWN, GROWING, WEAK, UNCLEAR = "known", "growing", "weak", "unclear"
KNOWN_FROM, WEAK_TO = 0.7, 0.6
"""A topic is known where the low limit lies above, weak where the high limit lies below."""
SURE_WIDTH, ROUGH_WIDTH = 0.3, 0.55
SURE, ROUGH, GUESS = "sure", "rough", "guess"


@dataclass(frozen=True, slots=True)
class Mastery:
    """How a topic stands by the last answers to its questions. `low` and `high` are shares."""

    tag: str
    questions: int
    share: Fraction
    low: float
    high: float

    @property
    def level(self) -> str:
        """The level as a code; unclear where the interval says neither."""
        if self.low >= KNOWN_FROM:
            return KNOWN
        if self.high <= WEAK_TO:
            return WEAK
        return UNCLEAR if self.certainty == GUESS else GROWING

    @property
    def certainty(self) -> str:
        """How sure the estimate is, as a code."""
        width = self.high - self.low
        if width <= SURE_WIDTH:
            return SURE
        return ROUGH if width <= ROUGH_WIDTH else GUESS


def estimate_mastery(tag: str, shares: Iterable[Fraction]) -> Mastery:
    """Return the estimate from the shares earned at each question's last answer, at least one.

    An answer that is right in part counts as right from a half on: the interval is of yes and no.
    """
    earned = list(shares)
    right = sum(credit >= Fraction(1, 2) for credit in earned)
    interval = compute_wilson(right, len(earned), CONFIDENCE)
    share = sum(earned, Fraction()) / len(earned)
    return Mastery(tag, len(earned), share, interval.low, interval.high)
