"""How far below zero a question's score can go: what a file says, as a field of ours and a note."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from grading.json_types import Json, ratio_to_json
from grading.lower_bound import LOWER_BOUND
from grading.ordering.structure import PENALTY
from quizzes.formats.builders.choice import Option
from quizzes.formats.builders.cloze import Gap
from quizzes.formats.builders.text_entry import Accepted, Number
from quizzes.formats.contract import Note

_ZERO = Fraction(0)


def settle_lower_bound(
    least: Fraction, lower_bound: Fraction | None, *, line: int
) -> tuple[dict[str, Json], list[Note]]:
    """Return the field of a question and the note on it; neither where no score is below zero.

    `least` is what the worst answer adds up to; `lower_bound` is where the file stops, None for
    nowhere. Both are shares of the question's points.
    """
    bound = least if lower_bound is None else max(least, lower_bound)
    if bound >= 0:
        return {}, []
    note = Note("score_below_zero", line, detail={"share": str(-bound)})
    return {LOWER_BOUND.name: ratio_to_json(bound)}, [note]


def find_least_choice(options: Iterable[Option], *, many: bool) -> Fraction:
    """Return what the worst choice of options adds up to: of one, or of all that cost."""
    costs = [option.weight for option in options if option.weight and option.weight < 0]
    return sum(costs, _ZERO) if many else min(costs, default=_ZERO)


def settle_wrong_order(
    cost: Fraction, lower_bound: Fraction | None, *, line: int
) -> tuple[dict[str, Json], list[Note]]:
    """Return the fields of an order of which only the right one earns, and any other costs."""
    bound, notes = settle_lower_bound(-cost, lower_bound, line=line)
    return ({PENALTY.name: ratio_to_json(cost), **bound} if bound else {}), notes


def settle_typed_bound(
    answers: Sequence[Accepted | Number], *, line: int
) -> tuple[dict[str, Json], list[Note]]:
    """Return the lower bound of a question that is typed, as far as its worst answer costs."""
    return settle_lower_bound(_find_least_typed(answers), None, line=line)


def _find_least_typed(answers: Iterable[Accepted | Number]) -> Fraction:
    return min((answer.credit for answer in answers if answer.credit < 0), default=_ZERO)


def find_least_filling(gaps: Sequence[Gap]) -> Fraction:
    """Return what the worst filling of all gaps adds up to, as a share of all points."""
    points = sum(gap.points for gap in gaps) or 1
    least = (
        gap.points * min(find_least_choice(gap.options, many=False), _find_least_typed(gap.answers))
        for gap in gaps
    )
    return sum(least, _ZERO) / points
