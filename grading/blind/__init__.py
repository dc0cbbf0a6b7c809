"""What answers earn that are given without knowing anything, exactly, by the grading of each kind.

It stands above the kinds and names them, so that whoever looks for questions that reward it need
not. A kind without a way of being answered blindly (an essay, a card) is not in the register.
"""

from collections.abc import Callable, Mapping
from functools import partial

from grading.blind import choice, gaps, orders, pairs, typed
from grading.blind.figures import NOTHING_KNOWN, Blind
from grading.json_types import Content, Key

__all__ = ["Blind", "blind"]

Way = Callable[[Content, Key, str], Blind]

WAYS: Mapping[str, Way] = {
    "single_choice": partial(choice.blind, "single_choice"),
    "multiple_choice": partial(choice.blind, "multiple_choice"),
    "true_false": partial(choice.blind, "true_false"),
    "short_text": partial(typed.blind, "short_text"),
    "numeric": partial(typed.blind, "numeric"),
    "matching": pairs.blind,
    "ordering": orders.blind,
    "cloze": gaps.blind,
}
"""How each kind is answered blindly, by its name."""


def blind(kind: str, content: Content, key: Key, method: str) -> Blind:
    """Return what blind answers earn; content, key and scoring method have passed their check.

    Of a kind that nobody can answer blindly, or that does not exist: nothing is known.
    """
    way = WAYS.get(kind)
    return way(content, key, method) if way else NOTHING_KNOWN
