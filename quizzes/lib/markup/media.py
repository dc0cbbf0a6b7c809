"""Files that a text shows: `![words](media:<uuid>.<extension>)`, told without asking a database."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from quizzes.lib.markup import addresses
from quizzes.lib.markup.extracts import words
from quizzes.lib.markup.parser import MAX_CHARACTERS, PlacedToken, place_tokens
from quizzes.lib.markup.warnings import MarkupWarning, MarkupWarningCode


@dataclass(frozen=True, slots=True)
class MediaReference:
    """A file that a text shows: which, of what kind, the words in its place, the line from 1."""

    uuid: UUID
    extension: str
    words: str
    line: int


def media_references(source: str) -> tuple[MediaReference, ...]:
    """Return the files that a text shows, in order; of a text too large to be shown, none."""
    references = []
    for line, token in _pictures(source):
        address = addresses.parse_media_address(str(token.attrGet("src")))
        if address is not None:
            references.append(MediaReference(*address, words(token.children or []).strip(), line))
    return tuple(references)


def media_warnings(source: str) -> tuple[MarkupWarning, ...]:
    """Yield references that cannot be right, and images, audio and video without a description."""
    return tuple(_problems(source))


def _problems(source: str) -> Iterator[MarkupWarning]:
    for line, token in _pictures(source):
        address = str(token.attrGet("src"))
        if addresses.is_media_like(address) and addresses.parse_media_address(address) is None:
            yield MarkupWarning(MarkupWarningCode.MEDIA_MALFORMED, line, address)
        elif not words(token.children or []).strip():
            yield MarkupWarning(MarkupWarningCode.ALT_MISSING, line, address)


def _pictures(source: str) -> Iterator[PlacedToken]:
    if len(source) <= MAX_CHARACTERS and "![" in source:
        yield from (placed for placed in place_tokens(source) if placed.token.type == "image")
