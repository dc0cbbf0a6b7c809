"""Questions that pay for answers given blindly, or take what nobody would mean."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from grading.guessing import GuessScore, score_guesses
from grading.json_types import Json, ratio_from_json
from grading.kinds import KINDS
from grading.lower_bound import LOWER_BOUND, read_lower_bound
from grading.ordering.structure import read_penalty
from grading.partial_credit import ALL_OR_NOTHING
from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView
from quizzes.document import QuestionDocument

HALF = Fraction(1, 2)
"""True or false is guessed right half the time, and nobody calls that a flaw."""

_COSTS: Final[Mapping[str, Mapping[str, str]]] = {
    "numeric": {"numbers": "credit"},
    "short_text": {"accepted": "credit"},
    "single_choice": {"options": "weight"},
    "true_false": {"options": "weight"},
}
"""Kinds of which one thing is chosen or typed: in which table and field it may cost."""

SCORING_METHOD = "scoring_method"
"""Where most of these can be mended: another scoring."""


def score_question_guesses(item: QuestionDocument, *, is_valid: bool) -> GuessScore:
    """Return what blind answers earn; of a draft that cannot be graded yet nothing is known.

    `is_valid`: nothing is wrong with it, so it need not be checked again.
    """
    kind = KINDS.get(item.kind)
    if kind is None or (
        not is_valid and kind.validate(item.content, item.key, item.scoring_method)
    ):
        return GuessScore()
    return score_guesses(item.kind, item.content, item.key, item.scoring_method)


def check_costs(view: QuestionView) -> Iterator[Finding]:
    """Name what takes points away from a question of one answer whose lowest score is 0."""
    question, document = view.question_data, view.document
    if read_lower_bound(document.content, []) < 0:
        return
    if document.kind == "ordering":
        costs = document.scoring_method == ALL_OR_NOTHING and bool(
            read_penalty(document.content, [])
        )
    else:
        rows = (
            (row, name)
            for table, name in _COSTS.get(document.kind, {}).items()
            for row in question.tables.get(table, ())
        )
        costs = any(_is_negative(row.values.get(name)) for row, name in rows)
    if costs:
        yield Finding("cost_without_effect", path=LOWER_BOUND.name)


def _is_negative(ratio: Json) -> bool:
    try:
        return ratio is not None and ratio_from_json(ratio) < 0
    except ValueError:
        return False


def check_scoring(figures: GuessScore) -> Iterator[Finding]:
    """Name what pays too well, the plainest way alone."""
    if figures.select_all is not None and figures.select_all >= HALF:
        yield Finding(
            "select_all_pays", path=SCORING_METHOD, figures={"credit": str(figures.select_all)}
        )
    elif figures.best_guess is not None and figures.best_guess > HALF:
        yield Finding(
            "guessing_pays", path=SCORING_METHOD, figures={"credit": str(figures.best_guess)}
        )
    if figures.constant_answer is not None and figures.constant_answer > HALF:
        yield Finding("same_for_all_pays", figures={"credit": str(figures.constant_answer)})
    if figures.any_text:
        yield Finding("anything_counts", figures={"credit": str(figures.any_text)})
