"""One item of a file: where it is, and its status, which follows from its notes. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from quizzes.formats.contract import ImportStatus, Note, ParsedQuestion, SourceItem

LOST = frozenset({"media_elsewhere", "picture_elsewhere", "picture_without_words", "text_cut"})
"""What is lost with these may be what a question is about: a person must look."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an item comes from: its lines, its file in a package; and what it is called there."""

    line: int
    end_line: int
    archive_path: str = ""
    name: str = ""
    kind: str = ""
    points: Fraction | None = None

    def with_name(self, name: str, kind: str = "", points: Fraction | None = None) -> "Origin":
        """Return the origin with the name, the kind and the points that the file gives."""
        return replace(self, name=name, kind=kind, points=points)


def build_item(
    origin: Origin,
    question: ParsedQuestion | None,
    notes: Iterable[Note],
    review: Collection[str] = (),
    harmless: Collection[str] = (),
) -> SourceItem:
    """Return the item with its status: without a question it is refused, under its own kind.

    A note with a code of `review` is for a person to look at; any other but the `harmless` ones
    says that something was repaired.
    """
    notes = tuple(notes)
    codes = {note.code for note in notes}.difference(harmless)
    status = ImportStatus.REPAIRED if codes else ImportStatus.IMPORTED
    if question is None:
        status = ImportStatus.REFUSED
    elif not codes.isdisjoint(review):
        status = ImportStatus.REVIEW
    return SourceItem(
        line=origin.line,
        end_line=origin.end_line,
        name=origin.name,
        kind=question.kind if question else origin.kind,
        status=status,
        question=question,
        notes=notes,
        archive_path=origin.archive_path,
        points=origin.points,
    )
