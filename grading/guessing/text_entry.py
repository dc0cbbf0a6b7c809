"""Typing whatever comes to mind: what has nothing to do with the question should earn nothing."""

from collections.abc import Mapping

from grading.contract import ZERO
from grading.guessing.guess_score import GuessScore, score_raw_answer
from grading.json_types import Content, Json, Key

MEANINGLESS_ANSWERS: Mapping[str, tuple[Json, ...]] = {
    "short_text": ({"text": "zzqx"}, {"text": "77 q, 3 j"}),
    "numeric": ({"typed": "0"}, {"typed": "-7919"}, {"typed": "104729000001"}),
}
"""What nobody would mean, by the kind that is asked."""


def score_guesses(kind: str, content: Content, key: Key, method: str) -> GuessScore:
    """Return the least that any of the meaningless texts earns."""
    if kind == "short_text" and not accepts_more_than_words(key.get("accepted")):
        return GuessScore(any_text=ZERO)
    credits_ = (
        score_raw_answer(kind, content, key, raw, method) for raw in MEANINGLESS_ANSWERS[kind]
    )
    return GuessScore(any_text=min(credit or ZERO for credit in credits_))


def accepts_more_than_words(listed: Json) -> bool:
    """Return whether any of these accepted answers takes more than its own words."""
    rows = (row for row in (listed if isinstance(listed, list) else ()) if isinstance(row, dict))
    return any("*" in str(row.get("text")) or bool(row.get("pattern")) for row in rows)
