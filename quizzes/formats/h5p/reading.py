"""From a package to its items: every part of its content is one, in the content's order."""

import re
from collections.abc import Callable, Mapping, Sequence
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
from quizzes.formats.h5p.blanks import read_blanks
from quizzes.formats.h5p.choice import (
    read_multiple_choice,
    read_single_choice,
    read_true_false,
)
from quizzes.formats.h5p.content_parts import (
    CHOICES,
    PROMPT_NAMES,
    SET,
    TEXT_NAMES,
    ContentPart,
    split_content,
)
from quizzes.formats.h5p.content_reader import EVERYTHING, ContentReader, ContentRefused
from quizzes.formats.h5p.package import CONTENT, H5pPackage, open_h5p
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

READERS: Mapping[str, Callable[[ContentReader, Head], ParsedQuestion]] = {
    CHOICES: read_single_choice,
    "H5P.Blanks": read_blanks,
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


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a package; why it cannot be read is among the errors."""
    package = open_h5p(data)
    if isinstance(package, FileError):
        return ParsedFile(errors=(package,))
    title = package.metadata.get("title").text()
    library = package.metadata.get("mainLibrary").text()
    content = list(split_content(ContentPart(library, package.content, title, package.content)))
    parts = [part for part in content if isinstance(part, ContentPart)]
    ignored = [note for note in content if isinstance(note, Note)]
    language = language or _read_language(package, parts, ignored)
    names = Names()
    items = tuple(
        read_item(
            partial(_read_part, part, package, names, language or "en"),
            Origin(part.node.line, part.node.last, CONTENT),
        )
        for part in parts
    )
    threshold = _read_pass_threshold(package) if library == SET else None
    metadata = FileMetadata(title, language, pass_threshold=threshold)
    return ParsedFile(
        items=items, metadata=metadata, media=package.media, ignored_lines=tuple(ignored)
    )


def _read_part(part: ContentPart, package: H5pPackage, names: Names, language: str) -> SourceItem:
    content, question = ContentReader(part.params, package, language), None
    title = "" if _UNTITLED.fullmatch(part.title) else part.title
    name, reader = title or part.library, READERS.get(part.library)
    if reader is None:
        _note_unknown(content, part)
    else:
        name = names.assign(title, part.read_words(*PROMPT_NAMES))
        try:
            question = reader(content, Head(part.node.line, name, language, ""))
        except ContentRefused as error:
            content.note(error.code, error.node)
    origin = Origin(part.node.line, part.node.last, CONTENT, name, part.library)
    return build_item(origin, question, content.notes)


def _note_unknown(content: ContentReader, part: ContentPart) -> None:
    """Note what is no question of ours, its place, and the content within it."""
    place = f"{part.library} {part.node.where} {part.title}"
    code = "no_question" if part.library in WITHOUT_QUESTION else "kind_unknown"
    content.note(code, part.node, " ".join(place.split()))
    libraries = (node.get("library").text() for node in part.params.walk())
    if within := ", ".join(dict.fromkeys(filter(None, libraries))):
        content.note("content_within", part.node, within)


def _read_language(package: H5pPackage, parts: Sequence[ContentPart], ignored: list[Note]) -> str:
    """Return the language that the file names, with a note if its words seem to be of another."""
    node = package.metadata.get("language")
    named = _LANGUAGE.fullmatch(node.text())
    words = " ".join(part.read_words(*TEXT_NAMES) for part in parts)[:_ENOUGH]
    detected = detect_language(words)
    if not named:
        language, doubts = take_language(detected, words)
        ignored += doubts
        return language
    if detected and detected != named[1].lower():
        ignored.append(Note("language_doubtful", node.line, node.text()[:LONGEST_QUOTE]))
    return named[1].lower()


def _read_pass_threshold(package: H5pPackage) -> Fraction | None:
    percentage = package.content.get("passPercentage").number()
    if percentage is None or not 0 <= percentage <= EVERYTHING:
        return None
    return Fraction(percentage) / EVERYTHING
