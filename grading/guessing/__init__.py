"""What answers earn that are given without knowing anything, exactly, by the grading of each kind.

It stands above the kinds and names them, so that whoever looks for questions that reward it need
not. A kind without a way of being answered blindly (an essay, a card) is not in the register.
"""

from collections.abc import Callable, Mapping
from functools import partial

from grading.guessing import choice, cloze, matching, ordering, text_entry
from grading.guessing.guess_score import UNKNOWN, GuessScore
from grading.guessing.trials import count_trials
from grading.json_types import Content, Key

__all__ = ["GuessScore", "count_trials", "score_guesses"]

Guesser = Callable[[Content, Key, str], GuessScore]

GUESSERS: Mapping[str, Guesser] = {
    "single_choice": partial(choice.score_guesses, "single_choice"),
    "multiple_choice": partial(choice.score_guesses, "multiple_choice"),
    "true_false": partial(choice.score_guesses, "true_false"),
    "short_text": partial(text_entry.score_guesses, "short_text"),
    "numeric": partial(text_entry.score_guesses, "numeric"),
    "matching": matching.score_guesses,
    "ordering": ordering.score_guesses,
    "cloze": cloze.score_guesses,
}
"""How each kind is answered blindly, by its name."""


def score_guesses(kind: str, content: Content, key: Key, method: str) -> GuessScore:
    """Return what blind answers earn; content, key and scoring method have passed their check.

    Of a kind that nobody can answer blindly, or that does not exist: nothing is known.
    """
    way = GUESSERS.get(kind)
    return way(content, key, method) if way else UNKNOWN
