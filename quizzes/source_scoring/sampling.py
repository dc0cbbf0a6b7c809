"""A bounded sample of the answers to one item, each for the rules of the file and for ours."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice

from grading.json_types import Json
from grading.numeric.separators import DECIMAL
from quizzes.formats.contract import ParsedQuestion
from quizzes.source_scoring.alignment import AlignedOption, AlignedSlot
from quizzes.source_scoring.rules import Shape, SourceAnswer, SourceRules, UndeterminedScore
from quizzes.source_scoring.typed_answers import list_numbers, list_words

MOST_ANSWERS = 24
LEAST_ANSWERS = 4
_WORK = 240
"""Rows times answers of one item, about: an item of many rows is tried with fewer answers."""
_LONGEST_WORDS = 80


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """One answer: as the file's rules take it, as our kinds do, and in words; () is no answer."""

    source: SourceAnswer
    raw: Json
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SlotValue:
    """What may be answered in one place: the file's value, our raw answer, its words."""

    source: str
    raw: Json
    words: str


def sample_answers(
    question: ParsedQuestion, rules: SourceRules, slots: Sequence[AlignedSlot]
) -> list[SampleAnswer]:
    """Return `count_answers` at most; the same for the same item."""
    most = count_answers(question)
    if rules.shape == Shape.CHOICE:
        answers = _sample_choices(slots[0], many=question.kind == "multiple_choice")
    elif rules.shape == Shape.ORDER:
        rows = [row.name for row in question.tables.get("items", ())]
        answers = _sample_orders(slots[0], rows)
    else:
        costs = [_find_costliest_value(rules, slot) for slot in slots]
        answers = _sample_slots(question, slots, costs)
    distinct: dict[str, SampleAnswer] = {}
    for answer in chain(_find_best(question, rules, slots), islice(answers, most * 2)):
        distinct.setdefault(repr(answer.raw), answer)
    return list(distinct.values())[:most]


def _find_best(
    question: ParsedQuestion, rules: SourceRules, slots: Sequence[AlignedSlot]
) -> Iterator[SampleAnswer]:
    """Yield the answer of all that earns by itself in the file, whatever we take for right.

    The points of everything are known by it where the file does not name them.
    """
    if rules.shape == Shape.ORDER or len(question.rows) > MOST_ANSWERS:
        return
    try:
        if rules.shape == Shape.CHOICE:
            alone = ((option, _choose(slots[0], [option])) for option in slots[0].options)
            earning = [option for option, answer in alone if rules.compute(answer.source) > 0]
            if question.kind == "multiple_choice" and earning:
                yield _choose(slots[0], earning)
            return
        best = [_find_best_value(rules, slot) for slot in slots]
    except UndeterminedScore:
        return
    yield _fill(question, slots, best)


def find_best_points(rules: SourceRules, slot: AlignedSlot) -> Fraction:
    """Return the most that one place earns while all others are empty, as far as the file says."""
    points = []
    for value in _list_values(slot):
        with suppress(UndeterminedScore):
            points.append(_compute_alone(rules, slot, value))
    return max(points, default=Fraction(0))


def _find_best_value(rules: SourceRules, slot: AlignedSlot) -> _SlotValue | None:
    """Return what earns most in one place while all others are empty."""
    best = max(_list_points(rules, slot), key=lambda pair: pair[1], default=None)
    return best and best[0]


def _find_costliest_value(rules: SourceRules, slot: AlignedSlot) -> _SlotValue | None:
    """Return what costs most in one place, whatever bound the file has; None where nothing does."""
    if not slot.options:
        return None
    unbounded = replace(rules, compute=rules.compute_unbounded or rules.compute)
    try:
        value, points = min(_list_points(unbounded, slot), key=lambda pair: pair[1])
    except UndeterminedScore:
        return None
    return value if points < 0 else None


def _list_points(rules: SourceRules, slot: AlignedSlot) -> list[tuple[_SlotValue, Fraction]]:
    """Return what may be answered in one place, each with what it earns alone."""
    return [(value, _compute_alone(rules, slot, value)) for value in _list_values(slot)]


def _compute_alone(rules: SourceRules, slot: AlignedSlot, value: _SlotValue) -> Fraction:
    """Return what a value earns in one place while all others are empty; or UndeterminedScore."""
    return rules.compute({slot.source.response: (slot.source.write_value(value.source),)})


def count_answers(question: ParsedQuestion) -> int:
    """Return how many answers to a question are tried at most."""
    return max(LEAST_ANSWERS, min(MOST_ANSWERS, _WORK // (len(question.rows) or 1)))


def _sample_choices(slot: AlignedSlot, *, many: bool) -> Iterator[SampleAnswer]:
    options = slot.options
    if all(option.source.id for option in options):
        yield _choose(slot, [])
    for option in options:
        yield _choose(slot, [option])
    if not many:
        return
    named = [option for option in options if option.row]
    right = [option for option in named if option.right]
    wrong = [option for option in named if not option.right]
    for several in (right, named, wrong):
        if several:
            yield _choose(slot, several)
    for left_out in right if len(right) > 1 else ():
        yield _choose(slot, [option for option in right if option is not left_out])
    for added in wrong:
        yield _choose(slot, [*right, added])
    for pair in combinations(named, 2):
        yield _choose(slot, pair)


def _choose(slot: AlignedSlot, options: Sequence[AlignedOption]) -> SampleAnswer:
    rows: list[Json] = [option.row for option in options if option.row]
    is_none = any(not option.row for option in options)
    raw: dict[str, Json] = {"none_apply": True} if is_none else {"chosen": rows}
    ids = tuple(option.source.id for option in options if option.source.id)
    words = tuple(filter(None, map(_cut_words, options)))
    return SampleAnswer({slot.source.response: ids}, raw, words)


def _cut_words(option: AlignedOption) -> str:
    return " ".join(option.source.text.split())[:_LONGEST_WORDS] or option.source.id


def _sample_orders(slot: AlignedSlot, rows: Sequence[str]) -> Iterator[SampleAnswer]:
    by_row = {option.row: option for option in slot.options}
    right = [by_row[row] for row in rows]
    yield SampleAnswer({slot.source.response: ()}, None, ())
    for order in _iterate_orders(right):
        ids = tuple(option.source.id for option in order)
        names: list[Json] = [option.row for option in order]
        words = tuple(map(_cut_words, order))
        yield SampleAnswer({slot.source.response: ids}, {"order": names}, words)


def _iterate_orders(right: Sequence[AlignedOption]) -> Iterator[list[AlignedOption]]:
    yield list(right)
    yield list(reversed(right))
    yield [*right[1:], *right[:1]]
    yield [*right[-1:], *right[:-1]]
    for first, second in combinations(range(len(right)), 2):
        swapped = list(right)
        swapped[first], swapped[second] = right[second], right[first]
        yield swapped


def _sample_slots(
    question: ParsedQuestion, slots: Sequence[AlignedSlot], costs: Sequence[_SlotValue | None]
) -> Iterator[SampleAnswer]:
    """Yield all right, none, all wrong, two swapped; then one place after the other varied.

    `costs` are what costs most in each place.
    """
    values = [_list_values(slot) for slot in slots]
    right = [options[0] if options else None for options in values]
    wrong = [options[-1] if len(options) > 1 else None for options in values]
    yield _fill(question, slots, [None] * len(slots))
    yield _fill(question, slots, right)
    yield _fill(question, slots, wrong)
    if question.kind == "matching" and len(slots) > 1:
        yield _fill(question, slots, [right[1], right[0], *right[2:]])
    for at, cost in enumerate(costs):
        if cost:
            yield _fill(question, slots, [*right[:at], cost, *right[at + 1 :]])
    for at in range(len(slots)):
        yield _fill(question, slots, [*right[:at], None, *right[at + 1 :]])
        yield _fill(question, slots, [value if at == n else None for n, value in enumerate(right)])
    for round_ in range(1, max(map(len, values), default=0)):
        for at, options in enumerate(values):
            if round_ < len(options):
                yield _fill(question, slots, [*right[:at], options[round_], *right[at + 1 :]])


def _fill(
    question: ParsedQuestion, slots: Sequence[AlignedSlot], values: Sequence[_SlotValue | None]
) -> SampleAnswer:
    source: dict[str, tuple[str, ...]] = {slot.source.response: () for slot in slots}
    raw: dict[str, Json] = {}
    for slot, value in zip(slots, values, strict=True):
        if value is not None:
            source[slot.source.response] += (slot.source.write_value(value.source),)
            raw[slot.row] = value.raw
    labels = [slot.source.text[:_LONGEST_WORDS] for slot in slots]
    words = tuple(
        f"{label or number} → {value.words}" if len(slots) > 1 else value.words
        for number, (label, value) in enumerate(zip(labels, values, strict=True), start=1)
        if value is not None
    )
    parts: Json = dict(raw)
    if question.kind == "matching":
        return SampleAnswer(source, {"pairs": parts}, words)
    if question.kind == "cloze":
        return SampleAnswer(source, {"gaps": parts}, words)
    return SampleAnswer(source, raw.get(""), words)


def _list_values(slot: AlignedSlot) -> list[_SlotValue]:
    """Return what may be answered in a place, the right first."""
    if slot.options:
        options = sorted(slot.options, key=lambda option: not option.right)
        return [
            _SlotValue(
                option.source.id,
                option.row if slot.kind == "matching" else {"chosen": [option.row]},
                _cut_words(option),
            )
            for option in options
        ]
    if slot.kind == "numeric":
        numbers = list_numbers(slot.source.literals, slot.typed)
        return [_SlotValue(text, _type_decimal(text), text) for text in numbers]
    return [_SlotValue(text, {"text": text}, text) for text in list_words(slot.source.literals)]


def _type_decimal(text: str) -> Json:
    """Return a number as somebody types it who says that its point is no sign of thousands."""
    return {"typed": text, "language": "en", "separator": DECIMAL}
