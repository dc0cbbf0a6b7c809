"""Questions that pay for answers given blindly, or take what nobody would mean."""

from collections.abc import Iterator
from fractions import Fraction

from grading.blind import Blind, blind
from grading.kinds import KINDS
from quizzes.bank.lint.findings import Finding
from quizzes.document import QuestionDocument

HALF = Fraction(1, 2)
"""True or false is guessed right half the time, and nobody calls that a flaw."""

SCORING_METHOD = "scoring_method"
"""Where most of these can be mended: another scoring."""


def figures_of(item: QuestionDocument, *, sound: bool) -> Blind:
    """Return what blind answers earn; of a draft that cannot be graded yet nothing is known.

    `sound`: nothing is wrong with it, so it need not be checked again.
    """
    kind = KINDS.get(item.kind)
    if kind is None or (not sound and kind.validate(item.content, item.key, item.scoring_method)):
        return Blind()
    return blind(item.kind, item.content, item.key, item.scoring_method)


def check_scoring(figures: Blind) -> Iterator[Finding]:
    """Name what pays too well, the plainest way alone."""
    if figures.everything is not None and figures.everything >= HALF:
        yield Finding(
            "select_all_pays", path=SCORING_METHOD, figures={"credit": str(figures.everything)}
        )
    elif figures.best is not None and figures.best > HALF:
        yield Finding("guessing_pays", path=SCORING_METHOD, figures={"credit": str(figures.best)})
    if figures.same is not None and figures.same > HALF:
        yield Finding("same_for_all_pays", figures={"credit": str(figures.same)})
    if figures.anything:
        yield Finding("anything_counts", figures={"credit": str(figures.anything)})
