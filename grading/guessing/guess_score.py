"""The figures that describe blind answers, and the marks they are made of."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grading.contract import ItemScore
from grading.json_types import Answer, Content, Json, Key
from grading.kinds import KINDS


@dataclass(frozen=True, slots=True)
class GuessScore:
    """What blind answers earn, each a share of the item's points; None: there is no such answer.

    `select_all`: every option is chosen. `random_guess`: the mean over all answers, each as
    likely. `best_guess`: the mean of the best way to guess: so many options and no more, say.
    `constant_answer`: one thing is given for all. `any_text`: the least that any text earns.
    """

    select_all: Fraction | None = None
    random_guess: Fraction | None = None
    best_guess: Fraction | None = None
    constant_answer: Fraction | None = None
    any_text: Fraction | None = None


UNKNOWN: Final = GuessScore()


def score_raw_answer(
    kind: str, content: Content, key: Key, raw: Json, method: str
) -> Fraction | None:
    """Return what a raw answer earns; None for one that the kind does not take."""
    kind_module = KINDS[kind]
    answer = kind_module.parse(content, raw)
    if not isinstance(answer, dict):
        return None
    item_score = kind_module.score(content, key, answer, method)
    return item_score.credit if isinstance(item_score, ItemScore) else None


def score_answer(kind: str, content: Content, key: Key, answer: Answer, method: str) -> Fraction:
    """Return what a canonical answer earns that a machine marks; else ValueError."""
    item_score = KINDS[kind].score(content, key, answer, method)
    if not isinstance(item_score, ItemScore):
        raise ValueError("a person marks this")  # noqa: TRY004  no type is wrong
    return item_score.credit
