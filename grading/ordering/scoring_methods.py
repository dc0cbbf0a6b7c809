"""What an order earns by each scoring method, n items being looked for: in all, and item by item.

The credit and what the items earn are reckoned apart, so that a mark checks the one by the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from grading.contract import ONE, ZERO, LedgerLine, build_rule
from grading.partial_credit import ALL_OR_NOTHING

EXACT_PLACE = "exact_place"
ADJACENT_PAIRS = "adjacent_pairs"
LONGEST_RUN = "longest_run"
ABSOLUTE_POSITION = "absolute_position"

PLACES = ("out_of_place", "in_place")
STEPS = ("follows_wrongly", "follows_rightly")
RUNS = ("outside_run", "in_run")


@dataclass(frozen=True)
class ComparedOrder:
    """An answer beside the order looked for; `order` lacks what is new since it was given.

    `penalty` is what a wrong part costs, of what it would earn.
    """

    order: tuple[str, ...]
    right_order: tuple[str, ...]
    penalty: Fraction = ZERO

    @property
    def total(self) -> int:
        """How many items are looked for: n, at least 2."""
        return len(self.right_order)

    @cached_property
    def places(self) -> dict[str, int]:
        """The right place, from 0, of each item of the answer among those of the answer."""
        named = set(self.order)
        return {id_: at for at, id_ in enumerate(id_ for id_ in self.right_order if id_ in named)}

    @cached_property
    def in_place(self) -> frozenset[str]:
        """The items that stand in their place."""
        return frozenset(id_ for at, id_ in enumerate(self.order) if self.places[id_] == at)

    @property
    def distance(self) -> int:
        """How many places the items stand from theirs, all together."""
        return sum(abs(self.places[id_] - at) for at, id_ in enumerate(self.order))

    @cached_property
    def following(self) -> frozenset[str]:
        """The items that stand right after the one that they follow in the order looked for."""
        pairs = set(zip(self.right_order, self.right_order[1:], strict=False))
        return frozenset(
            pair[1] for pair in zip(self.order, self.order[1:], strict=False) if pair in pairs
        )

    @cached_property
    def run(self) -> tuple[str, ...]:
        """The longest run of items that follow each other rightly: the first of several."""
        best: tuple[str, ...] = ()
        run: tuple[str, ...] = ()
        for id_ in self.order:
            run = (*run, id_) if id_ in self.following else (id_,)
            best = max(best, run, key=len)
        return best


@dataclass(frozen=True, slots=True)
class OrderScore:
    """What an order earns: in all, by item, by rules; `reasons` of wrong and of right items."""

    credit: Fraction
    right: frozenset[str]
    earned: Mapping[str, Fraction]
    reasons: tuple[str, str]
    rules: list[LedgerLine] = field(default_factory=list)


def _exact_place(placed: ComparedOrder) -> OrderScore:
    """Each item in its place earns 1/n; another costs the penalty's part of that."""
    hits = Fraction(len(placed.in_place), placed.total)
    misplaced = frozenset(placed.order) - placed.in_place
    cost = placed.penalty * Fraction(len(misplaced), placed.total)
    earned = _shared(placed.in_place, hits) | _shared(misplaced, -cost)
    return OrderScore(hits - cost, placed.in_place, earned, PLACES)


def _all_or_nothing(placed: ComparedOrder) -> OrderScore:
    """Everything in its place earns 1, else 0, less the penalty."""
    right = placed.in_place
    if placed.order == placed.right_order:
        return OrderScore(ONE, right, _shared(right, ONE), PLACES)
    hits = Fraction(len(right), placed.total)
    rules = [build_rule("all_or_nothing", -hits, "not_all_right")] if hits else []
    if placed.penalty:
        rules.append(build_rule("penalty", -placed.penalty, "wrong_order_costs"))
    return OrderScore(-placed.penalty, right, _shared(right, hits), PLACES, rules)


def _adjacent_pairs(placed: ComparedOrder) -> OrderScore:
    """Of the n - 1 neighbours, those that stand so in the answer: each earns its second item's.

    Other neighbours in the answer cost the penalty's part of that.
    """
    hits = Fraction(len(placed.following), placed.total - 1)
    first = {placed.order[0]} & {placed.right_order[0]}
    wrong = frozenset(placed.order[1:]) - placed.following
    cost = placed.penalty * Fraction(len(wrong), placed.total - 1)
    earned = _shared(placed.following, hits) | _shared(wrong, -cost)
    return OrderScore(hits - cost, placed.following | first, earned, STEPS)


def _longest_run(placed: ComparedOrder) -> OrderScore:
    """(L - 1) / (n - 1) for a longest run of L items, shared among them: a run of one is none."""
    credit = Fraction(len(placed.run) - 1, placed.total - 1)
    run = frozenset(placed.run if credit else ())
    return OrderScore(credit, run, _shared(run, credit), RUNS)


def _absolute_position(placed: ComparedOrder) -> OrderScore:
    """1 - the sum of all distances by the greatest there can be, ⌊n²/2⌋.

    What is in place earns 1/n. The rest is one line, because how far each of the others is from its
    place would reveal that place before the key may be shown.
    """
    hits = Fraction(len(placed.in_place), placed.total)
    maximum = Fraction(len(placed.order), placed.total)
    credit = maximum - Fraction(placed.distance, placed.total**2 // 2)
    rules = [build_rule("distance", credit - hits, "by_distance")] if credit != hits else []
    return OrderScore(credit, placed.in_place, _shared(placed.in_place, hits), PLACES, rules)


def _shared(ids: frozenset[str], together: Fraction) -> dict[str, Fraction]:
    """Return each id with its equal part of what they earn together."""
    return dict.fromkeys(ids, together / len(ids)) if ids else {}


PENALIZING = frozenset({EXACT_PLACE, ALL_OR_NOTHING, ADJACENT_PAIRS})
"""Scoring methods that know wrong parts, which may cost."""

SCORERS: Mapping[str, Callable[[ComparedOrder], OrderScore]] = {
    EXACT_PLACE: _exact_place,
    ALL_OR_NOTHING: _all_or_nothing,
    ADJACENT_PAIRS: _adjacent_pairs,
    LONGEST_RUN: _longest_run,
    ABSOLUTE_POSITION: _absolute_position,
}
"""Each scoring method by its name, the default first; another name: KeyError."""
