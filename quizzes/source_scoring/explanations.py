"""Which note explains which difference in score: of these kinds of question, and in this direction.

A note on anything else, or a difference the other way round, leaves the difference untold. What a
note says exactly, `noted_rules` computes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizzes.formats.contract import ScoreDifference

_ROUNDING: Final = Fraction(1, 50)
"""Weights that nearly add up to everything are made whole: shares change by so much at most."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a note says is scored otherwise: `covers`, in questions of these kinds."""

    kinds: frozenset[str]
    covers: Callable[[ScoreDifference], bool]


def _earns_more_here(difference: ScoreDifference) -> bool:
    return difference.here > difference.in_file


def _earns_less_here(difference: ScoreDifference) -> bool:
    return difference.here < difference.in_file


def _differs_in_part(difference: ScoreDifference) -> bool:
    """Return whether neither a right answer became wrong nor a wrong one right."""
    return abs(difference.here - difference.in_file) < 1


def _is_rounded(difference: ScoreDifference) -> bool:
    return abs(difference.here - difference.in_file) <= _ROUNDING


_CHOICES: Final = frozenset({"single_choice", "multiple_choice", "true_false"})
_TYPED: Final = frozenset({"short_text", "numeric", "cloze"})
_NUMBERS: Final = frozenset({"numeric", "cloze"})
_ALL: Final = _CHOICES | _TYPED | {"matching", "ordering"}

EXPLANATIONS: Final[Mapping[str, tuple[Explanation, ...]]] = {
    "answers_of_two_kinds": (Explanation(_CHOICES | _TYPED, _earns_less_here),),
    "boundary_included": (Explanation(_NUMBERS, _earns_more_here),),
    "empty_pair_left_out": (Explanation(frozenset({"matching"}), _differs_in_part),),
    "gap_points_changed": (Explanation(frozenset({"cloze"}), _differs_in_part),),
    "gap_points_levelled": (Explanation(frozenset({"cloze", "matching"}), _differs_in_part),),
    "grading_nearly_the_same": (Explanation(frozenset({"ordering"}), _differs_in_part),),
    "key_unknown": (Explanation(_ALL, _earns_less_here),),
    "range_end_counts": (Explanation(_NUMBERS, _earns_more_here),),
    "several_right_options": (
        Explanation(frozenset({"single_choice", "cloze"}), _earns_less_here),
    ),
    "weights_made_whole": (Explanation(frozenset({"multiple_choice"}), _is_rounded),),
}
"""By the note's code; every other note explains no score, unless `noted_rules` applies it."""


def are_explained(differences: Iterable[ScoreDifference], kind: str, codes: Iterable[str]) -> bool:
    """Return whether each difference is one that a note with one of these codes explains."""
    explanations = [
        explanation
        for code in codes
        for explanation in EXPLANATIONS.get(code, ())
        if kind in explanation.kinds
    ]
    return all(
        any(explanation.covers(difference) for explanation in explanations)
        for difference in differences
    )
