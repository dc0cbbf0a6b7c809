"""The rules of a file as the notes on an item change them, and in nothing else.

Some notes say exactly what is scored otherwise here: that a maximum is not kept, say, or that an
end of a range counts. What is left of a difference under these rules, no such note explains: a
wrong key, say. Every other note explains no score.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice
from typing import Final

from quizzes.source_scoring.alignment import AlignedSlot
from quizzes.source_scoring.rules import Shape, SourceAnswer, SourceRules, SourceSlot
from quizzes.source_scoring.sampling import find_best_points

_ZERO: Final = Fraction(0)
_MOST_SETS: Final = 8
"""All sets of three notes: an item of more is tried with the largest."""
_NEARLY_EVERYTHING: Final = Fraction(98, 100)
"""Shares that add up to so much at least were meant to be everything."""
_SINGLE: Final = frozenset({"single_choice", "true_false"})

Change = Callable[[SourceRules, Sequence[AlignedSlot]], SourceRules]


def iterate_noted_rules(
    rules: SourceRules, slots: Sequence[AlignedSlot], codes: Collection[str]
) -> Iterator[SourceRules]:
    """Yield the rules as each set of the notes with these codes changes them, large sets first.

    A note is on one place or option of several: what it says need not happen to others.
    """
    explaining = [code for code in (*sorted(rules.noted_codes), *CHANGES) if code in codes]
    sets = (combinations(explaining, count) for count in range(len(explaining), 0, -1))
    for noted in islice(chain.from_iterable(sets), _MOST_SETS):
        yield _apply_notes(rules, slots, noted)


def _apply_notes(
    rules: SourceRules, slots: Sequence[AlignedSlot], codes: Collection[str]
) -> SourceRules:
    if rules.read_noted and not rules.noted_codes.isdisjoint(codes):
        rules = rules.read_noted(codes)
    for code, change in CHANGES.items():
        rules = change(rules, slots) if code in codes else rules
    return rules


def _ignore_maximum(rules: SourceRules, _slots: Sequence[AlignedSlot]) -> SourceRules:
    if rules.compute_unbounded is None:
        return rules
    minimum, compute_unbounded = rules.minimum, rules.compute_unbounded

    def compute(answer: SourceAnswer) -> Fraction:
        points = compute_unbounded(answer)
        return points if minimum is None else max(points, minimum)

    return replace(rules, compute=compute, maximum=None)


def _leave_out_empty(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which places that are not answered here are worth nothing."""
    answered = {slot.source for slot in slots}
    best = {slot: _find_most(rules, slot) for slot in rules.slots}
    total = rules.maximum or sum(best.values(), _ZERO)
    left_out = sum((points for slot, points in best.items() if slot not in answered), _ZERO)
    return replace(rules, maximum=total - left_out)


def _find_most(rules: SourceRules, slot: SourceSlot) -> Fraction:
    values = (slot.write_value(option.id) for option in slot.options)
    points = (rules.compute({slot.response: (value,)}) for value in values)
    return max(points, default=_ZERO)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place to answer with the points of everything there; `values` are those of its options."""

    slot: AlignedSlot
    full: Fraction
    values: Mapping[str, Fraction]


def _list_places(rules: SourceRules, slots: Sequence[AlignedSlot]) -> list[_Place]:
    compute = rules.compute_unbounded or rules.compute
    places, worth = [], {slot.response: slot.points for slot in rules.slots}
    for slot in slots:
        written = [slot.source.write_value(option.source.id) for option in slot.options]
        values = {value: compute({slot.source.response: (value,)}) for value in written if value}
        earning = [earned for earned in values.values() if earned > 0]
        if slot.kind == "multiple_choice":
            full = rules.maximum or sum(earning, _ZERO)
        elif rules.shape == Shape.CHOICE:
            full = rules.maximum or max(earning, default=_ZERO)
        else:
            best = find_best_points(replace(rules, compute=compute), slot)
            points = worth[slot.source.response]
            full = best if points is None else points
        places.append(_Place(slot, full, values))
    return places


def _index_places(places: Sequence[_Place]) -> Callable[[str, str], _Place | None]:
    """Return a function that finds where a value is answered: several may be of one response."""
    by_value = {
        (place.slot.source.response, value): place for place in places for value in place.values
    }
    by_response = {place.slot.source.response: place for place in places if not place.values}
    return lambda response, value: by_value.get((response, value)) or by_response.get(response)


def _change_parts(
    rules: SourceRules,
    places: Sequence[_Place],
    change: Callable[[_Place, Fraction], Fraction],
) -> SourceRules:
    """Return rules by which each part of an answer earns what `change` makes of its points.

    Where an answer does not earn the sum of its parts, it earns what it did.
    """
    unbounded, find_place = rules.compute_unbounded or rules.compute, _index_places(places)

    def compute_changed(answer: SourceAnswer) -> Fraction | None:
        total = changed = _ZERO
        for response, values in answer.items():
            for value in values:
                points = unbounded({response: (value,)})
                place = find_place(response, value)
                total += points
                changed += points if place is None else change(place, points)
        return changed if total == unbounded(answer) else None

    def compute(answer: SourceAnswer) -> Fraction:
        changed = compute_changed(answer)
        if changed is None:
            return rules.compute(answer)
        for highest in (rules.maximum, rules.highest):
            changed = changed if highest is None else min(changed, highest)
        return changed if rules.minimum is None else max(changed, rules.minimum)

    def compute_unbounded(answer: SourceAnswer) -> Fraction:
        changed = compute_changed(answer)
        return unbounded(answer) if changed is None else changed

    # The points of everything stay, whatever the best answer earns now.
    maximum = rules.maximum or sum((place.full for place in places), _ZERO)
    return replace(rules, compute=compute, compute_unbounded=compute_unbounded, maximum=maximum)


def _level_points(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which all places are worth the same."""
    places = _list_places(rules, slots)
    full = sum((place.full for place in places), _ZERO)
    part = full / len(places)
    return _change_parts(
        rules, places, lambda place, points: points and points / (place.full or 1) * part
    )


def _make_whole(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which shares that nearly add up to everything do so."""
    (place, *_) = places = _list_places(rules, slots)
    total = sum((points for points in place.values.values() if points > 0), _ZERO)
    if not _NEARLY_EVERYTHING * place.full <= total < place.full:
        return rules
    factor = place.full / total
    return _change_parts(
        rules, places, lambda _place, points: points * factor if points > 0 else points
    )


def _count_right(place: _Place) -> int:
    return sum(points == place.full > 0 for points in place.values.values())


def _leave_open(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which nothing is earned where not one option earns everything."""
    places = _list_places(rules, slots)

    def change(place: _Place, points: Fraction) -> Fraction:
        is_open = place.values and place.slot.kind != "multiple_choice" and _count_right(place) != 1
        return _ZERO if is_open else points

    return _change_parts(rules, places, change)


def _leave_several(rules: SourceRules, slots: Sequence[AlignedSlot]) -> SourceRules:
    """Return rules by which several options earn nothing if each earns everything or nothing."""
    places = _list_places(rules, slots)

    def change(place: _Place, points: Fraction) -> Fraction:
        is_open = place.slot.kind in _SINGLE and _count_right(place) > 1
        return _ZERO if is_open and {*place.values.values()} <= {_ZERO, place.full} else points

    return _change_parts(rules, places, change)


def _limit_costs(rules: SourceRules, slots: Sequence[AlignedSlot], *, typed: bool) -> SourceRules:
    """Return rules by which no answer in a place costs more than everything there."""

    def change(place: _Place, points: Fraction) -> Fraction:
        return points if bool(place.values) == typed else max(points, -place.full)

    return _change_parts(rules, _list_places(rules, slots), change)


CHANGES: Final[Mapping[str, Change]] = {
    "maximum_score_ignored": _ignore_maximum,
    "empty_pair_left_out": _leave_out_empty,
    "gap_points_levelled": _level_points,
    "weights_made_whole": _make_whole,
    "key_unknown": _leave_open,
    "several_right_options": _leave_several,
    "cost_limited": lambda rules, slots: _limit_costs(rules, slots, typed=False),
    "negative_credit": lambda rules, slots: _limit_costs(rules, slots, typed=True),
}
"""What notes say of any file, by their code; those of one format, its rules know themselves."""
