"""Questions that pay for answers given blindly, or take what nobody would mean."""

from collections.abc import Iterator
from fractions import Fraction

from grading.guessing import GuessScore, score_guesses
from grading.kinds import KINDS
from quizzes.bank.lint.findings import Finding
from quizzes.document import QuestionDocument

HALF = Fraction(1, 2)
"""True or false is guessed right half the time, and nobody calls that a flaw."""

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
