"""Key bias: what tells right options from wrong ones in a whole bank, by position or length.

A bias is reported only if chance would make it in fewer than one of a hundred banks, and if it is
half as frequent again as chance: a learner who knows it has something to gain.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView
from quizzes.bank.lint.style_checks import find_catch_alls

SIGNIFICANCE: Final = Fraction(1, 100)
MIN_EXCESS: Final = Fraction(3, 2)
MIN_OPTIONS: Final = 2
"""Of two options, one is longer."""


@dataclass(frozen=True, slots=True)
class SingleKeyQuestion:
    """A question with one right option: how many there are, and what tells the right one."""

    offered: int
    place: int
    value: bool | None  # of a statement: whether it is true
    in_order: bool
    longest: bool
    catch_all: bool | None  # None: no option speaks of the others


def read_single_key(view: QuestionView) -> SingleKeyQuestion | None:
    """Return what tells the right option, of a question that has exactly one."""
    options = view.options
    at = [n for n, option in enumerate(options) if option.right]
    if len(at) != 1 or len(options) < MIN_OPTIONS:
        return None
    right = options[at[0]]
    lengths = {
        id_: len(text) for id_, text in view.option_texts(view.document.source_language).items()
    }
    others = (length for id_, length in lengths.items() if id_ != right.id)
    speaking = find_catch_alls(view, view.document.source_language)
    return SingleKeyQuestion(
        offered=len(options),
        place=at[0],
        value=right.value if isinstance(right.value, bool) else None,
        in_order=all(option.keeps_place for option in options),
        longest=lengths.get(right.id, 0) > max(others, default=0),
        catch_all=right.id in speaking if speaking else None,
    )


def check_key_bias(bank: Iterable[SingleKeyQuestion | None]) -> Iterator[Finding]:
    """Return the biases of these questions."""
    questions = [question for question in bank if question is not None]
    yield from _check_true_false(questions)
    yield from _check_positions(questions)
    tried = [question for question in questions if question.offered > MIN_OPTIONS]
    if _is_biased(
        n := sum(question.longest for question in tried), len(tried), _highest_chance(tried), 1
    ):
        yield Finding("longest_is_right", figures={"n": n, "all": len(tried)})
    spoken = [question for question in questions if question.catch_all is not None]
    if _is_biased(
        n := sum(question.catch_all is True for question in spoken),
        len(spoken),
        _highest_chance(spoken),
        1,
    ):
        yield Finding("catch_all_is_right", figures={"n": n, "all": len(spoken)})


def _check_true_false(questions: Iterable[SingleKeyQuestion]) -> Iterator[Finding]:
    """Find statements to judge that are mostly true, or mostly false."""
    counts = Counter(question.value for question in questions if isinstance(question.value, bool))
    for value, n in counts.items():
        if _is_biased(n, counts.total(), Fraction(1, 2), 2):
            code = "mostly_true" if value else "mostly_false"
            yield Finding(code, figures={"n": n, "all": counts.total()})


def _check_positions(questions: Iterable[SingleKeyQuestion]) -> Iterator[Finding]:
    """Find keys that lean to one place, where nothing is shuffled."""
    at: Mapping[int, Counter[int]] = defaultdict(Counter)
    for question in questions:
        if question.in_order and not isinstance(question.value, bool):
            at[question.offered][question.place] += 1
    for offered, counts_by_place in sorted(at.items()):
        place, often = min(
            counts_by_place.items(), key=lambda place_count: (-place_count[1], place_count[0])
        )
        if _is_biased(often, counts_by_place.total(), Fraction(1, offered), offered):
            figures = {
                "place": place + 1,
                "options": offered,
                "n": often,
                "all": counts_by_place.total(),
            }
            yield Finding("key_leans", figures=figures)


def _highest_chance(questions: list[SingleKeyQuestion]) -> Fraction:
    """Return the greatest chance of one option among these: so nothing is told too soon."""
    return Fraction(1, min((question.offered for question in questions), default=1))


def _is_biased(n: int, total: int, chance: Fraction, ways: int) -> bool:
    """Return whether `n` of `total` are more than chance would make, in any of so many ways."""
    if not n or n < total * chance * MIN_EXCESS:
        return False
    rest = 1 - chance
    tail = sum(comb(total, k) * chance**k * rest ** (total - k) for k in range(n, total + 1))
    return tail * ways < SIGNIFICANCE
