"""How similar two questions are by the terms that their texts share. Pure.

A term of few questions counts more than one of many, and a term without a counterpart counts
against the pair: the similarity is the cosine of the two, each term weighed by its rarity.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest
from math import log, sqrt

from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.tokens import TERM_WEIGHTS, Term, Terms

CANDIDATES = 10
"""How many questions each one is compared with."""
MAX_QUESTIONS_OF_TERM = 60
"""A term of more questions than this makes no candidates, though it counts."""

Similarities = list[dict[int, float]]
"""For each question of the first list: place in the second → similarity, 0 to 1."""


PlacesByTerm = Mapping[tuple[str, Term], list[int]]
"""Kind and term → places of questions."""


class Rarity:
    """The weights of terms, by how rare they are among these texts."""

    def __init__(self, texts: Sequence[Terms]) -> None:
        counts = Counter(term for text in texts for term in text)
        self._weights = {
            term: (TERM_WEIGHTS[term[0]] * log(1 + len(texts) / n)) ** 2
            for term, n in counts.items()
        }

    def length(self, terms: Terms) -> float:
        """Return the length of a text's vector."""
        return sqrt(sum(self._weights.get(term, 1.0) for term in terms))

    def shared(self, left: Terms, right: Terms) -> float:
        """Return the weight of the terms that two texts share."""
        shorter, longer = sorted((left, right), key=len)
        return sum(self._weights.get(term, 1.0) for term in shorter if term in longer)

    def cosine(self, left: Terms, right: Terms) -> float:
        """Return how similar two texts are, 0 to 1."""
        common = self.shared(left, right)
        return common / (self.length(left) * self.length(right)) if common else 0.0

    def weight(self, term: Term) -> float:
        """Return the weight of one term."""
        return self._weights.get(term, 1.0)


def find_similarities(
    left: Sequence[ComparableQuestion], right: Sequence[ComparableQuestion]
) -> Similarities:
    """Return the similarity of each question to those of its kind that share most with it."""
    rarity = Rarity([question.all_terms for question in (*left, *right)])
    places_by_term = _index_terms(right)
    lengths = [
        [
            (rarity.length(question.public_terms), rarity.length(question.all_terms))
            for question in questions
        ]
        for questions in (left, right)
    ]
    rows = []
    for at, question in enumerate(left):
        row = {}
        for other in _find_candidates(question, places_by_term, rarity):
            row[other] = max(
                rarity.shared(own_terms, other_terms) / (own_length * other_length)
                if own_length and other_length
                else 0.0
                for own_terms, other_terms, own_length, other_length in zip(
                    (question.public_terms, question.all_terms),
                    (right[other].public_terms, right[other].all_terms),
                    lengths[0][at],
                    lengths[1][other],
                    strict=True,
                )
            )
        rows.append(row)
    return rows


def _index_terms(questions: Sequence[ComparableQuestion]) -> PlacesByTerm:
    places_by_term: dict[tuple[str, Term], list[int]] = defaultdict(list)
    for at, question in enumerate(questions):
        for term in question.all_terms:
            places_by_term[question.kind, term].append(at)
    return places_by_term


def _find_candidates(
    question: ComparableQuestion,
    places_by_term: PlacesByTerm,
    rarity: Rarity,
) -> list[int]:
    sums: dict[int, float] = defaultdict(float)
    for term in question.all_terms:
        places = places_by_term.get((question.kind, term), ())
        if len(places) <= MAX_QUESTIONS_OF_TERM:
            weight = rarity.weight(term)
            for at in places:
                sums[at] += weight
    return nlargest(CANDIDATES, sums, key=lambda at: (sums[at], -at))
