"""What is said to an answer: of all an author wrote, what this answer calls up and may be shown.

Pure; reveal has decided what kinds of things may be shown, grading which the answer calls up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grading.feedback_rules import TriggeredFeedback
from grading.schema import (
    COMBINATION_FEEDBACK,
    EXPLANATION,
    SCORE_FEEDBACK,
    UNCHOSEN,
    QuestionSchema,
)
from quizzes.bank.selectors import RenderedFeedback
from quizzes.results.reveal import Visibility

APART = (SCORE_FEEDBACK.name, COMBINATION_FEEDBACK.name, UNCHOSEN)


@dataclass(frozen=True, slots=True)
class Feedback:
    """HTML by id of a row or name of a text; and the remarks that belong to no row."""

    rows: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def feedback(
    schema: QuestionSchema,
    texts: RenderedFeedback,
    triggered: TriggeredFeedback,
    visible: Visibility,
) -> Feedback:
    """Return the feedback on this answer, as far as it may be shown."""
    if not visible.feedback:
        return Feedback()
    rows = dict(_rows(schema, texts, triggered, visible)) | dict(
        _unchosen(texts, triggered, visible)
    )
    return Feedback(rows, tuple(_remarks(texts, triggered, visible)))


def _rows(
    schema: QuestionSchema,
    texts: RenderedFeedback,
    triggered: TriggeredFeedback,
    visible: Visibility,
) -> Iterator[tuple[str, str]]:
    public, revealing = schema.list_public_parts(), schema.list_key_revealing_parts()
    for part, part_texts in texts.parts.items():
        shown_ids = (
            triggered.right_rows if part in revealing and not visible.key else triggered.rows
        )
        show_all = visible.all_options and part in public - revealing
        if part not in APART:
            yield from (
                (id_, html) for id_, html in part_texts.items() if show_all or id_ in shown_ids
            )
    for name, html in texts.texts.items():
        if name != EXPLANATION.name and (name in triggered.rows or not schema.graded):
            yield name, html


def _unchosen(
    texts: RenderedFeedback, triggered: TriggeredFeedback, visible: Visibility
) -> Iterator[tuple[str, str]]:
    """Yield the feedback on options left out: it reveals whether they are right."""
    if visible.all_options or visible.key:
        for id_, html in texts.parts.get(UNCHOSEN, {}).items():
            if id_ not in triggered.rows:
                yield id_, html


def _remarks(
    texts: RenderedFeedback, triggered: TriggeredFeedback, visible: Visibility
) -> Iterator[str]:
    """Yield the feedback on combinations, and on the score where that may be shown."""
    combination_texts = texts.parts.get(COMBINATION_FEEDBACK.name, {})
    yield from (
        combination_texts[id_] for id_ in triggered.combination_feedback if id_ in combination_texts
    )
    score_text = texts.parts.get(SCORE_FEEDBACK.name, {}).get(triggered.score_feedback)
    if score_text and visible.score and visible.correctness:
        yield score_text
