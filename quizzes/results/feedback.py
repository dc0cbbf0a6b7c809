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


def feedback(shape: Shape, said: Said, due: Due, shown: Shown) -> Feedback:
    """Give what may be said of what the answer calls up."""
    if not shown.feedback:
        return Feedback()
    rows = dict(_rows(shape, said, due, shown)) | dict(_unchosen(said, due, shown))
    return Feedback(rows, tuple(_remarks(said, due, shown)))


def _rows(shape: Shape, said: Said, due: Due, shown: Shown) -> Iterator[tuple[str, str]]:
    public, telling = public_parts(shape), parts_when_right(shape)
    for part, texts in said.parts.items():
        told = due.right if part in telling and not shown.key else due.called
        everything = shown.all_options and part in public - telling
        if part not in APART:
            yield from ((id_, html) for id_, html in texts.items() if everything or id_ in told)
    for name, html in said.texts.items():
        if name != EXPLANATION.name and (name in due.called or not shape.graded):
            yield name, html


def _unchosen(said: Said, due: Due, shown: Shown) -> Iterator[tuple[str, str]]:
    """Give what is said of what was left: it would tell whether that was right."""
    if shown.all_options or shown.key:
        for id_, html in said.parts.get(UNCHOSEN, {}).items():
            if id_ not in due.called:
                yield id_, html


def _remarks(said: Said, due: Due, shown: Shown) -> Iterator[str]:
    """Give the words for what was chosen together, and for the score where that may be known."""
    together = said.parts.get(COMBINATIONS.name, {})
    yield from (together[id_] for id_ in due.combinations if id_ in together)
    band = said.parts.get(BANDS.name, {}).get(due.band)
    if band and shown.score and shown.correctness:
        yield band
