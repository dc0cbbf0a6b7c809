"""The rules of Moodle's ordering: what an order earns by each of its nine types of grading.

For those that no method here has, the reader takes one that is near, and notes it.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from xml.etree.ElementTree import Element

from quizzes.source_scoring.answer_credits import RESPONSE, number_options
from quizzes.source_scoring.moodle_texts import read_words
from quizzes.source_scoring.rules import (
    NotComparable,
    Shape,
    SourceAnswer,
    SourceRules,
    SourceSlot,
)

_NEAR = "grading_nearly_the_same"

ScoreOrder = Callable[[Sequence[int]], Fraction]
"""What an order earns: of each item the place, from 0, that it should have."""


def read_order_rules(node: Element, codes: Collection[str] = ()) -> SourceRules:
    """Return the rules of an order, as notes with these codes have them."""
    texts = [read_words(answer) for answer in node.findall("answer")]
    grading_type = read_words(node.find("gradingtype")).strip().upper() or "ABSOLUTE_POSITION"
    options = tuple(number_options(texts))
    right = {option.id: place for place, option in enumerate(options)}
    rule = (_NEAR_RULES if _NEAR in codes else _RULES).get(grading_type)
    if rule is None or read_words(node.find("selecttype")).strip().upper() not in {"", "ALL", "0"}:
        raise NotComparable("rule_unknown", grading_type)

    def compute(answer: SourceAnswer) -> Fraction:
        order = answer.get(RESPONSE, ())
        return rule([right[identifier] for identifier in order]) if order else Fraction(0)

    return SourceRules(
        Shape.ORDER,
        (SourceSlot(RESPONSE, options),),
        compute,
        Fraction(1),
        noted_codes=frozenset({_NEAR}),
        read_noted=partial(read_order_rules, node),
    )


def _count_places(order: Sequence[int]) -> Fraction:
    return Fraction(sum(at == place for at, place in enumerate(order)), len(order))


def _count_neighbours(order: Sequence[int]) -> int:
    return sum(second == first + 1 for first, second in pairwise(order))


def _count_next(order: Sequence[int]) -> Fraction:
    return Fraction(_count_neighbours(order), len(order) - 1 or 1)


def _count_next_and_last(order: Sequence[int]) -> Fraction:
    return Fraction(_count_neighbours(order) + (order[-1] == len(order) - 1), len(order))


def _count_both_neighbours(order: Sequence[int]) -> Fraction:
    ends = (order[0] == 0) + (order[-1] == len(order) - 1)
    return Fraction(2 * _count_neighbours(order) + ends, 2 * len(order))


def _count_pairs(order: Sequence[int]) -> Fraction:
    pairs = [first < second for first, second in combinations(order, 2)]
    return Fraction(sum(pairs), len(pairs) or 1)


def _find_longest_ordered(order: Sequence[int]) -> Fraction:
    """Return the part of the longest rising sequence; a single item is none."""
    ends: list[int] = []
    for place in order:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return Fraction(len(ends) if len(ends) > 1 else 0, len(order))


def _find_longest_contiguous(order: Sequence[int]) -> Fraction:
    """Return the part of the longest sequence that leaves out none between; others may stand in it.

    A single item is none.
    """
    lengths: dict[int, int] = {}
    for place in order:
        lengths[place] = lengths.get(place - 1, 0) + 1
    longest = max(lengths.values())
    return Fraction(longest if longest > 1 else 0, len(order))


def _add_nearness(order: Sequence[int]) -> Fraction:
    farthest = len(order) - 1
    near = (farthest - abs(at - place) for at, place in enumerate(order))
    return Fraction(sum(near), len(order) * farthest or 1)


def _find_longest_run(order: Sequence[int]) -> Fraction:
    """Return our own rule: of the neighbours, those in the longest run without another between."""
    run = longest = 0
    for first, second in pairwise(order):
        run = run + 1 if second == first + 1 else 0
        longest = max(longest, run)
    return Fraction(longest, len(order) - 1 or 1)


def _subtract_distances(order: Sequence[int]) -> Fraction:
    """Return our own rule: the part of all distances that there can be that is not there."""
    distance = sum(abs(at - place) for at, place in enumerate(order))
    return 1 - Fraction(distance, len(order) ** 2 // 2 or 1)


_RULES: Mapping[str, ScoreOrder] = {
    "ALL_OR_NOTHING": lambda order: Fraction(list(order) == sorted(order)),
    "ABSOLUTE_POSITION": _count_places,
    "RELATIVE_NEXT_EXCLUDE_LAST": _count_next,
    "RELATIVE_NEXT_INCLUDE_LAST": _count_next_and_last,
    "RELATIVE_ONE_PREVIOUS_AND_NEXT": _count_both_neighbours,
    "RELATIVE_ALL_PREVIOUS_AND_NEXT": _count_pairs,
    "LONGEST_ORDERED_SUBSET": _find_longest_ordered,
    "LONGEST_CONTIGUOUS_SUBSET": _find_longest_contiguous,
    "RELATIVE_TO_CORRECT": _add_nearness,
}
_NEAR_RULES: Mapping[str, ScoreOrder] = {
    **_RULES,
    "RELATIVE_NEXT_INCLUDE_LAST": _count_next,
    "RELATIVE_ONE_PREVIOUS_AND_NEXT": _count_next,
    "RELATIVE_ALL_PREVIOUS_AND_NEXT": _subtract_distances,
    "LONGEST_ORDERED_SUBSET": _count_places,
    "LONGEST_CONTIGUOUS_SUBSET": _find_longest_run,
    "RELATIVE_TO_CORRECT": _subtract_distances,
}
"""What the method here pays that is nearest to each."""
