"""How alike two questions are by what their texts share, and which are worth a closer look. Pure.

What few questions say tells more than what many do; what of a question has no counterpart speaks
against it. So a likeness is the cosine of the two, each term weighed by how rare it is.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest
from math import log, sqrt

from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.tokens import TERM_WEIGHTS, Term, Terms

CANDIDATES = 10
"""How many questions each one is compared with in full."""
COMMON = 60
"""A term of more questions than this leads nowhere, though it counts."""

Similarities = list[dict[int, float]]
"""For each question of the first list: place in the second → likeness, 0 to 1."""


class Rarity:
    """What each term is worth among these texts."""

    def __init__(self, texts: Sequence[Terms]) -> None:
        often = Counter(term for text in texts for term in text)
        self._worth = {
            term: (TERM_WEIGHTS[term[0]] * log(1 + len(texts) / n)) ** 2
            for term, n in often.items()
        }

    def length(self, terms: Terms) -> float:
        """Give the length of a text's vector."""
        return sqrt(sum(self._worth.get(term, 1.0) for term in terms))

    def shared(self, left: Terms, right: Terms) -> float:
        """Give what two texts have in common."""
        few, many = sorted((left, right), key=len)
        return sum(self._worth.get(term, 1.0) for term in few if term in many)

    def cosine(self, left: Terms, right: Terms) -> float:
        """Give how alike two texts are, 0 to 1."""
        common = self.shared(left, right)
        return common / (self.length(left) * self.length(right)) if common else 0.0

    def of(self, term: Term) -> float:
        """Give what one term is worth."""
        return self._worth.get(term, 1.0)


def similarities(
    left: Sequence[ComparableQuestion], right: Sequence[ComparableQuestion]
) -> Similarities:
    """Compare each question with those of its kind that share most with it."""
    rarity = Rarity([question.all_terms for question in (*left, *right)])
    holding = _index(right)
    lengths = [
        [
            (rarity.length(question.public_terms), rarity.length(question.all_terms))
            for question in sides
        ]
        for sides in (left, right)
    ]
    rows = []
    for at, question in enumerate(left):
        row = {}
        for other in _candidates(question, holding, rarity):
            row[other] = max(
                rarity.shared(mine, theirs) / (long * wide) if long and wide else 0.0
                for mine, theirs, long, wide in zip(
                    (question.public_terms, question.all_terms),
                    (right[other].public_terms, right[other].all_terms),
                    lengths[0][at],
                    lengths[1][other],
                    strict=True,
                )
            )
        rows.append(row)
    return rows


def _index(sides: Sequence[ComparableQuestion]) -> Mapping[tuple[str, Term], list[int]]:
    holding: dict[tuple[str, Term], list[int]] = defaultdict(list)
    for at, question in enumerate(sides):
        for term in question.all_terms:
            holding[question.kind, term].append(at)
    return holding


def _candidates(
    question: ComparableQuestion, holding: Mapping[tuple[str, Term], list[int]], rarity: Rarity
) -> list[int]:
    sums: dict[int, float] = defaultdict(float)
    for term in question.all_terms:
        places = holding.get((question.kind, term), ())
        if len(places) <= COMMON:
            worth = rarity.of(term)
            for at in places:
                sums[at] += worth
    return nlargest(CANDIDATES, sums, key=lambda at: (sums[at], -at))
