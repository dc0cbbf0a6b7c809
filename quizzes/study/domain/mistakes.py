"""Which cards the answer to a question gives: one an option that was wrong or missed. Pure."""

from collections.abc import Collection
from typing import Final

from grading.contract import ItemScore

BY_OPTION: Final = frozenset({"multiple_choice"})
"""Kinds of which each option is decided by itself. With one right option, the question is asked."""
NOT_STUDIED: Final = frozenset({"essay", "flashcard"})
"""What has no answer that could be recalled, and what is a card already."""


def find_mistakes(kind: str, score: ItemScore, options: Collection[str]) -> tuple[str, ...]:
    """Return the ids of options that were chosen and wrong, or right and not chosen.

    "" stands for the whole question. Nothing of what was right.
    """
    if kind in NOT_STUDIED or score.credit == 1:
        return ()
    if kind not in BY_OPTION:
        return ("",)
    return tuple(
        line.part
        for line in score.ledger
        if line.part in options and line.right is not None and line.chosen != line.right
    )
