"""From a package to its items: every piece of its content is one, in the content's order."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from quizzes.formats.builders import Head
from quizzes.formats.contract import (
    LONGEST_QUOTE,
    FileError,
    FileMetadata,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.h5p.blanks import blanks
from quizzes.formats.h5p.choice import (
    read_multiple_choice,
    read_single_choice,
    read_true_false,
)
from quizzes.formats.h5p.item import Item, Refused
from quizzes.formats.h5p.package import CONTENT, Box, box
from quizzes.formats.h5p.pieces import ASKED, CHOICES, SAID, SET, Piece, pieces
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

READERS: Mapping[str, Callable[[Item, Head], ParsedQuestion]] = {
    CHOICES: read_single_choice,
    "H5P.Blanks": blanks,
    "H5P.MultiChoice": read_multiple_choice,
    "H5P.TrueFalse": read_true_false,
}
WITHOUT_QUESTION = frozenset(
    "H5P.Accordion H5P.AdvancedText H5P.Audio H5P.Collage H5P.Image H5P.Link H5P.Table H5P.Text"
    " H5P.Video".split()
)
_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_].*)?", re.IGNORECASE)
_UNTITLED = re.compile(r"(?:untitled|sin título)\b.*", re.IGNORECASE)
_ENOUGH = 50_000
_WHOLE = 100


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a package; what keeps it from being read is the parcel's trouble."""
    held = box(data)
    if isinstance(held, FileError):
        return ParsedFile(errors=(held,))
    parts = list(pieces(held))
    noise = [part for part in parts if isinstance(part, Note)]
    found_in = [part for part in parts if isinstance(part, Piece)]
    spoken = language or _language(held, found_in, noise)
    reading = _Reading(held, spoken or "en")
    found = tuple(
        read_item(
            partial(reading.found, piece), Origin(piece.whole.line, piece.whole.last, CONTENT)
        )
        for piece in found_in
    )
    metadata = FileMetadata(
        held.about.get("title").text(), spoken, pass_threshold=_pass_threshold(held)
    )
    return ParsedFile(items=found, metadata=metadata, media=held.media, ignored_lines=tuple(noise))


@dataclass(slots=True)
class _Reading:
    box: Box
    language: str
    names: Names = field(default_factory=Names)

    def found(self, piece: Piece) -> SourceItem:
        """Read a piece."""
        item, question = Item(piece.params, self.box, self.language), None
        reader = READERS.get(piece.library)
        title = "" if _UNTITLED.fullmatch(piece.title) else piece.title
        name = title or piece.library
        if reader is None:
            item.notes += _unknown(piece)
        else:
            name = self.names.name(title, piece.words(*ASKED))
            try:
                question = reader(item, Head(piece.whole.line, name, self.language, ""))
            except Refused as error:
                item.note(error.code, error.at)
        place, kind = Origin(piece.whole.line, piece.whole.last, CONTENT), piece.library
        return build_item(place.with_name(name, kind), question, item.notes)


def _unknown(piece: Piece) -> Iterator[Note]:
    """Name what is no question of ours, its place, and the content within it."""
    line, place = piece.whole.line, f"{piece.library} {piece.whole.where} {piece.title}"
    code = "no_question" if piece.library in WITHOUT_QUESTION else "kind_unknown"
    yield Note(code, line, " ".join(place.split())[:LONGEST_QUOTE])
    within = (one.get("library").text() for one in piece.params.walk())
    if said := ", ".join(dict.fromkeys(filter(None, within))):
        yield Note("content_within", line, said[:LONGEST_QUOTE])


def _language(held: Box, found: list[Piece], noise: list[Note]) -> str:
    """Give the language that the file says; where its words seem to be of another, tell so."""
    at = held.about.get("language")
    said = _LANGUAGE.fullmatch(at.text())
    words = " ".join(one.words(*SAID) for one in found)[:_ENOUGH]
    told = detect_language(words)
    if not said:
        noise += [] if told else [Note("language_unknown", 1)]
        return told
    if told and told != said[1].lower():
        noise.append(Note("language_doubtful", at.line, at.text()))
    return said[1].lower()


def _pass_threshold(held: Box) -> Fraction | None:
    share = held.content.get("passPercentage").number()
    if held.about.get("mainLibrary").text() != SET or share is None or not 0 <= share <= _WHOLE:
        return None
    return Fraction(share) / _WHOLE
