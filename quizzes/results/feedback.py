"""What is said to an answer: of all an author wrote, what this answer calls up and may be shown.

Pure; reveal has decided what kinds of things may be shown, grading which the answer calls up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grading.feedback_rules import TriggeredFeedback
from grading.schema import (
    COMBINATION_FEEDBACK,
    HINT_STEP,
    LEARNING_TEXTS,
    SCORE_FEEDBACK,
    UNCHOSEN,
    QuestionSchema,
)
from quizzes.bank.selectors import RenderedFeedback
from quizzes.results.reveal import Visibility

APART = (SCORE_FEEDBACK.name, COMBINATION_FEEDBACK.name, UNCHOSEN, HINT_STEP.name)
ABOUT_QUESTION = frozenset(text.name for text in LEARNING_TEXTS)


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
    early: frozenset[str] = frozenset(),
) -> Feedback:
    """Return the feedback on this answer, as far as it may be shown.

    `early` are the ids of rows and the names of texts that may be shown whatever is hidden.
    """
    if not visible.feedback and not early:
        return Feedback()
    rows = dict(_rows(schema, texts, triggered, visible, early)) | dict(
        _unchosen(texts, triggered, visible, early)
    )
    return Feedback(rows, tuple(_remarks(texts, triggered, visible, early)))


def _rows(
    schema: QuestionSchema,
    texts: RenderedFeedback,
    triggered: TriggeredFeedback,
    visible: Visibility,
    early: frozenset[str],
) -> Iterator[tuple[str, str]]:
    public, revealing = schema.list_public_parts(), schema.list_key_revealing_parts()
    for part, part_texts in texts.parts.items():
        if part not in APART:
            shown_ids = triggered.rows & early
            if visible.feedback:
                hidden = part in revealing and not visible.key
                shown_ids |= triggered.right_rows if hidden else triggered.rows
            show_all = visible.all_options and part in public - revealing
            yield from (
                (id_, html) for id_, html in part_texts.items() if show_all or id_ in shown_ids
            )
    for name, html in texts.texts.items():
        may_show = visible.feedback or name in early
        is_triggered = name in triggered.rows or not schema.graded
        if name not in ABOUT_QUESTION and may_show and is_triggered:
            yield name, html


def _unchosen(
    texts: RenderedFeedback,
    triggered: TriggeredFeedback,
    visible: Visibility,
    early: frozenset[str],
) -> Iterator[tuple[str, str]]:
    """Yield the feedback on options left out: it reveals whether they are right."""
    show_all = visible.feedback and (visible.all_options or visible.key)
    for id_, html in texts.parts.get(UNCHOSEN, {}).items():
        if id_ not in triggered.rows and (show_all or id_ in early):
            yield id_, html


def _remarks(
    texts: RenderedFeedback,
    triggered: TriggeredFeedback,
    visible: Visibility,
    early: frozenset[str],
) -> Iterator[str]:
    """Yield the feedback on combinations, and on the score where that may be shown."""
    combination_texts = texts.parts.get(COMBINATION_FEEDBACK.name, {})
    yield from (
        combination_texts[id_]
        for id_ in triggered.combination_feedback
        if id_ in combination_texts and (visible.feedback or id_ in early)
    )
    score_text = texts.parts.get(SCORE_FEEDBACK.name, {}).get(triggered.score_feedback)
    may_show = visible.feedback or triggered.score_feedback in early
    if score_text and may_show and visible.score and visible.correctness:
        yield score_text
