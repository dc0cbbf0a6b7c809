"""Scores of the answers of many attempts, each computed once. Pure.

Many attempts give the same answer to the same version of a question. What it earns depends on the
version, its scoring method, the answer and the rules of regrade alone, never on the learner or the
order of options.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from grading.contract import ItemScore, NeedsManualGrading

MAX_SCORES: Final = 5_000
"""How many are remembered; then all are forgotten, so that memory is constant."""

LONGEST_ANSWER: Final = 1_000
"""Characters of an answer that is remembered: a longer one is a person's own, and takes room."""

ScoreKey = tuple[UUID, str, str | None]
"""A version, its scoring method, and an answer as the text of its JSON."""


@dataclass(slots=True)
class SlotScore:
    """What an answer earned, and the same as the text of the JSON that its row stores."""

    outcome: ItemScore | NeedsManualGrading
    text: str
    _same_texts: set[str] = field(default_factory=set)

    def is_stored_as(self, text: str | None) -> bool:
        """Return whether a text says the same, whatever its blanks and the order of its names."""
        if text is None:
            return False
        if text not in self._same_texts:
            if json.loads(text) != json.loads(self.text):
                return False
            self._same_texts.add(text)
        return True


def build_slot_score(outcome: ItemScore | NeedsManualGrading) -> SlotScore:
    """Return a score with its text."""
    return SlotScore(outcome, json.dumps(item_score_to_json(outcome)))


def is_remembered(answer: str | None) -> bool:
    """Return whether what an answer comes to is remembered for whoever gives the same."""
    return answer is None or len(answer) <= LONGEST_ANSWER


def item_score_to_json(outcome: ItemScore | NeedsManualGrading) -> dict[str, Any]:
    """Return the score of a slot as its row stores it."""
    if isinstance(outcome, ItemScore):
        return dict(outcome.to_json())
    return {"needs_manual_grading": outcome.reason}


class SlotScores:
    """The scores by the rules of regrade of one quiz, or of its first so many."""

    def __init__(self) -> None:
        self._rules = 0
        self._scores: dict[ScoreKey, SlotScore] = {}

    def use_rules(self, count: int) -> None:
        """Forget what was computed by another number of rules: there is one more."""
        if count != self._rules:
            self._rules = count
            self._scores.clear()

    def find(
        self, key: ScoreKey, compute: Callable[[], ItemScore | NeedsManualGrading]
    ) -> SlotScore:
        """Return the score of an answer; `compute` is called for the first one of its kind."""
        if not is_remembered(key[2]):
            return build_slot_score(compute())
        score = self._scores.get(key)
        if score is None:
            score = build_slot_score(compute())
            if len(self._scores) >= MAX_SCORES:
                self._scores.clear()
            self._scores[key] = score
        return score
