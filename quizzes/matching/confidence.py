"""From evidence to a confidence: weights fitted to banks whose twins are known. Pure.

The weights are those of a logistic regression over the demonstration's banks, each language a
list, whole and in parts, in order and shuffled (`tests/quizzes/matching`): what is said
with 90 % is right nine times in ten or more there.
"""

from dataclasses import dataclass
from math import exp, log
from typing import Final

SUREST: Final = 0.99
"""What texts alone can tell; for more, a person must say so."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for two questions being one.

    `likeness` of their texts and of the best `rival` of either, 0 to 1; `order` the logarithm of
    how much likelier their places make it; `rows`: whether they have as many; `key`: by how much
    likelier it is since what is right agrees, below 1 where it does not. `equal`: the options say
    the very same, which in two languages they do by chance of names. `few`: there is too little
    to compare with for a rival to show.
    """

    similarity: float
    rival: float = 0.0
    order: float = 0.0
    equal_row_counts: bool = True
    key: float = 1.0
    same_language: bool = False
    equal_texts: bool = False
    few_questions: bool = False


def confidence(evidence: Evidence) -> float:
    """Give the probability that the two are one question, 0 to 1."""
    lead = evidence.similarity / (evidence.similarity + evidence.rival or 1.0)
    if evidence.same_language:
        odds = 14 * (evidence.similarity - 0.85) + 4 * (lead - 0.6)
    else:
        odds = -0.6 + 1.8 * log(evidence.similarity + 0.02) + 5 * lead
    odds += evidence.order + (0.6 if evidence.equal_row_counts else -1.2) + log(evidence.key)
    odds -= 1.2 if evidence.few_questions and not evidence.same_language else 0.0
    odds += 2.5 if evidence.equal_texts and evidence.same_language else 0.0
    return min(round(1 / (1 + exp(-odds)), 3), SUREST)
