"""Scoring a try in practice, as an answer of an attempt is scored."""

from typing import Any

from grading.contract import ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import KeyAndFeedback, PublicVersion


def score_try(
    public_version: PublicVersion,
    key_and_feedback: KeyAndFeedback,
    answer: Any,
    scoring_method: str,
) -> Json:
    """Return the score as it is stored: None where persons grade it."""
    kind = KINDS[public_version.kind]
    outcome = kind.score(public_version.content, key_and_feedback.key, answer, scoring_method)
    return outcome.to_json() if isinstance(outcome, ItemScore) else None
