"""What is said to an answer: of all an author wrote, what this answer calls up and may be shown.

Pure; reveal has decided what kinds of things may be shown, grading which the answer calls up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grading.remarks import Due
from grading.shape import (
    BANDS,
    COMBINATIONS,
    EXPLANATION,
    UNCHOSEN,
    Shape,
    parts_when_right,
    public_parts,
)
from quizzes.bank.selectors import Said
from quizzes.results.reveal import Shown

APART = (BANDS.name, COMBINATIONS.name, UNCHOSEN)


@dataclass(frozen=True, slots=True)
class Feedback:
    """HTML by id of a row or name of a text; and the remarks that belong to no row."""

    rows: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def feedback(shape: Shape, texts: Said, due: Due, visible: Shown) -> Feedback:
    """Return the feedback on this answer, as far as it may be shown."""
    if not visible.feedback:
        return Feedback()
    rows = dict(_rows(shape, texts, due, visible)) | dict(_unchosen(texts, due, visible))
    return Feedback(rows, tuple(_remarks(texts, due, visible)))


def _rows(shape: Shape, texts: Said, due: Due, visible: Shown) -> Iterator[tuple[str, str]]:
    public, telling = public_parts(shape), parts_when_right(shape)
    for part, part_texts in texts.parts.items():
        named = due.right if part in telling and not visible.key else due.called
        everything = visible.all_options and part in public - telling
        if part not in APART:
            yield from (
                (id_, html) for id_, html in part_texts.items() if everything or id_ in named
            )
    for name, html in texts.texts.items():
        if name != EXPLANATION.name and (name in due.called or not shape.graded):
            yield name, html


def _unchosen(texts: Said, due: Due, visible: Shown) -> Iterator[tuple[str, str]]:
    """Yield the feedback on options left out: it reveals whether they are right."""
    if visible.all_options or visible.key:
        for id_, html in texts.parts.get(UNCHOSEN, {}).items():
            if id_ not in due.called:
                yield id_, html


def _remarks(texts: Said, due: Due, visible: Shown) -> Iterator[str]:
    """Yield the feedback on combinations, and on the score where that may be shown."""
    together = texts.parts.get(COMBINATIONS.name, {})
    yield from (together[id_] for id_ in due.combinations if id_ in together)
    band = texts.parts.get(BANDS.name, {}).get(due.band)
    if band and visible.score and visible.correctness:
        yield band
