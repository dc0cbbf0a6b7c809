"""Typed answers, gaps and pairs: what counts and what is doubtful, one decision for all formats.

A reader fills `Accepted`, `Number`, `Gap`, `SourcePair` and `SourceMatching` from its syntax, with
the credit that the file gives (1 is everything, less than 0 as some formats allow); each function
here returns what the question is built of, and the notes on it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from quizzes.formats.builders.choice import Option
from quizzes.formats.builders.cloze import Gap
from quizzes.formats.builders.text_entry import Accepted, Number
from quizzes.formats.contract import LONGEST_QUOTE, Note

ANYTHING = "*"
"""An accepted text that any answer matches; without credit, it has the feedback on all others."""
ANY_NUMBER = Number("-1e300", "range", "1e300")
"""What accepts every number that was not accepted before."""
MINIMUM_PAIRS = 2
_LEAST = Fraction(-1)
_ROUNDING = Fraction(1, 50)  # rounding makes equal parts differ by less

Answer = TypeVar("Answer", Accepted, Number)


@dataclass(frozen=True, slots=True)
class SourcePair:
    """A pair as a file has it: without a left side, its right side is a distractor."""

    left: str
    right: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class SourceMatching:
    """Two sets of texts by their identifiers, and the points of pairs, as a file has them.

    `default` are the points of a pair that is not in `points`; with `together`, only all right
    pairs earn something.
    """

    lefts: Mapping[str, str]
    rights: Mapping[str, str]
    points: Sequence[tuple[str, str, Fraction]]
    default: Fraction = Fraction(0)
    together: bool = False


def settle_texts(
    answers: Iterable[Accepted], *, line: int, case: bool = False
) -> tuple[list[Accepted], str, list[Note]]:
    """Return the accepted texts, the feedback on any other answer, and notes.

    What is empty, or accepts again what one before it does, is left out; `case`: case counts.
    The first answer that matches counts, so all after one that accepts anything is left out, too.
    """
    distinct: dict[str, Accepted] = {}  # by what they accept
    otherwise, notes, is_over = "", list[Note](), False
    for answer in answers:
        if not answer.text:
            notes.append(Note("answer_empty", answer.line or line))
        elif is_over:
            notes.append(_note_repeated(answer, line))
        elif answer.text == ANYTHING and not answer.credit:
            otherwise, is_over = answer.feedback, True
        else:
            is_over = answer.text == ANYTHING and not answer.pattern
            accepts = answer.text if case or answer.pattern else answer.text.casefold()
            if distinct.setdefault(accepts, answer) is not answer:
                notes.append(_note_repeated(answer, line))
    accepted, credit_notes = settle_credits(list(distinct.values()), line=line)
    return accepted, otherwise, [*notes, *credit_notes]


def settle_numbers(answers: Sequence[Number], *, line: int) -> tuple[list[Number], str, list[Note]]:
    """Return the accepted numbers, the feedback on any other answer, and notes."""
    accepted, otherwise, notes = leave_out_unreachable(answers, line=line)
    accepted, credit_notes = settle_credits(accepted, line=line)
    return accepted, otherwise, [*notes, *credit_notes]


def leave_out_unreachable(
    answers: Sequence[Number], *, line: int
) -> tuple[list[Number], str, list[Note]]:
    """Return the numbers up to one that accepts every number, the feedback on others, and notes.

    What accepts every number (`ANY_NUMBER`) and earns nothing only has that feedback.
    """
    accepted, otherwise, notes = list[Number](), "", list[Note]()
    for place, answer in enumerate(answers):
        is_any = (answer.text, answer.margin) == (ANY_NUMBER.text, ANY_NUMBER.margin)
        if is_any and not answer.credit:
            otherwise = answer.feedback
        else:
            accepted.append(answer)
        if is_any:
            notes += [_note_repeated(late, line) for late in answers[place + 1 :]]
            break
    return accepted, otherwise, notes


def _note_repeated(answer: Accepted | Number, line: int) -> Note:
    quote = answer.text[:LONGEST_QUOTE]
    return Note("duplicate_answer_left_out", answer.line or line, quote)


def settle_credits(
    answers: Sequence[Answer], *, line: int, quote: str = ""
) -> tuple[list[Answer], list[Note]]:
    """Return the answers, of which none costs more than everything, and notes.

    One must earn everything.
    """
    notes = [
        Note("negative_credit", answer.line or line, quote or answer.text[:LONGEST_QUOTE])
        for answer in answers
        if answer.credit < _LEAST
    ]
    if max((answer.credit for answer in answers), default=0) < 1:
        notes.append(Note("key_unknown", line, quote))
    return [replace(answer, credit=max(answer.credit, _LEAST)) for answer in answers], notes


def settle_gap(gap: Gap, *, line: int, quote: str = "") -> tuple[Gap, list[Note]]:
    """Return a gap and notes on its key: of its options one must be right.

    Options keep their weights where one earns a part or costs something; none costs more than the
    gap is worth.
    """
    if gap.numbers:
        numbers, notes = settle_credits(gap.numbers, line=line, quote=quote)
        return replace(gap, numbers=numbers), notes
    if not gap.options:
        accepted, notes = settle_credits(gap.accepted, line=line, quote=quote)
        return replace(gap, accepted=accepted), notes
    options = [
        replace(option, right=option.weight == 1 if option.right is None else option.right)
        for option in gap.options
    ]
    right = sum(option.right is True for option in options)
    codes = [] if right == 1 else ["several_right_options" if right else "key_unknown"]
    if any(option.weight is not None and option.weight < _LEAST for option in options):
        codes.append("cost_limited")
        options = [_limit_cost(option) for option in options]
    if not right or all(option.weight in {None, 0, 1} for option in options):
        options = [replace(option, weight=None) for option in options]
    return replace(gap, options=options), [Note(code, line, quote) for code in codes]


def _limit_cost(option: Option) -> Option:
    return option if option.weight is None else replace(option, weight=max(option.weight, _LEAST))


def settle_pairs(
    source: Iterable[SourcePair], *, line: int
) -> tuple[list[tuple[str, str]], list[str], list[Note]]:
    """Return the pairs, the right sides that go with nothing, and notes."""
    pairs, distractors, notes = list[tuple[str, str]](), list[str](), list[Note]()
    for pair in source:
        if not pair.right.strip():
            notes.append(Note("pair_incomplete", pair.line, pair.quote[:LONGEST_QUOTE]))
        elif pair.left.strip():
            pairs.append((pair.left, pair.right))
        else:
            distractors.append(pair.right)
    rights = {*(right for _, right in pairs), *distractors}
    if min(len(pairs), len(rights)) < MINIMUM_PAIRS:
        notes.append(Note("too_few_pairs", line))
    return pairs, distractors, notes


@dataclass(frozen=True, slots=True)
class SettledMatching:
    """The right of each left, by identifiers, what its pair earns, and the scoring method.

    There is no scoring method, None, where wrong pairs cost something else than right ones earn.
    """

    key: Mapping[str, str]
    points: Sequence[Fraction]  # in the order of the lefts; [] where all earn the same
    scoring_method: str | None


def settle_matching(
    source: SourceMatching, *, line: int, quote: str = ""
) -> tuple[SettledMatching, list[Note]]:
    """Return what counts of pairs, and notes.

    A left that goes with several rights, or with none that has a text, is left open.
    """
    pairs = [(left, right) for left, right, points in source.points if points > 0]
    counts = Counter(left for left, _ in pairs)
    key = {
        left: right
        for left, right in pairs
        if counts[left] == 1 and left in source.lefts and source.rights.get(right, "").strip()
    }
    notes = [] if key.keys() == source.lefts.keys() else [Note("key_unknown", line, quote)]
    by_left = {left: points for left, _, points in source.points if points > 0}
    highest = max(by_left.values(), default=Fraction(1))
    points = [by_left.get(left, highest) for left in source.lefts]
    if highest - min(points, default=highest) <= highest * _ROUNDING:
        points = []
    return SettledMatching(key, points, _find_matching_method(source, by_left, points)), notes


def _find_matching_method(
    source: SourceMatching, by_left: Mapping[str, Fraction], points: Sequence[Fraction]
) -> str | None:
    if source.together:
        return None if points else "all_or_nothing"
    by_pair = {(left, right): points for left, right, points in source.points}
    costs = {
        by_pair.get((left, right), source.default) / earned
        for left, earned in by_left.items()
        for right in source.rights
        if by_pair.get((left, right), Fraction(0)) <= 0
    }
    if not any(costs):
        return "per_pair"
    is_same = all(abs(cost + 1) <= _ROUNDING for cost in costs)
    return "right_minus_wrong" if is_same else None
