"""The lines of a checklist as pieces: headings, labels, items, listings, plain lines. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from quizzes.formats.checklist.listings import Listings
from quizzes.formats.parsing.labels import LABEL, NUMBERED, labelled

_ITEM = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])"
    r"(?:[ \t]*(?P<box>\\?\[[ \t]?[xX ]?[ \t]?\\?\])(?![(\[:])|[ \t]+(?P<round>\([ xX]\))(?=\s|$))"
    r"|(?P<bare>\[[xX ]\])(?=[ \t]))[ \t]*(?P<text>.*)"
)
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>.*)$")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(?P<text>\S.*)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_PICTURE = re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,600}\)|<img\b[^<>]*>|<br ?/?>", re.IGNORECASE)
_WORD = re.compile(r"\w")
_MARGIN = 3


class What(Enum):
    """What a piece of a checklist is."""

    BLANK = auto()
    HEADING = auto()
    LABEL = auto()
    NUMBER = auto()
    ITEM = auto()
    BULLET = auto()
    LISTING = auto()
    QUOTE = auto()
    COMMENT = auto()
    RULE = auto()
    TEXT = auto()
    SHOWN = auto()  # a picture or a row of a table


@dataclass(frozen=True, slots=True)
class Piece:
    """One line, or one listing or comment with all its lines; `text` is what its mark is before."""

    what: What
    line: int
    lines: tuple[str, ...]
    text: str = ""
    mark: str = ""  # of an item, a heading
    number: int = 0
    labelled: bool = False
    counted: bool = False  # its label is a word with a number
    open: bool = False

    @property
    def last(self) -> int:
        """Return its last line."""
        return self.line + len(self.lines) - 1

    @property
    def indent(self) -> int:
        """Return how far its first line is indented."""
        return indentation(self.lines[0])

    @property
    def right(self) -> bool:
        """Return whether an item is ticked."""
        return "x" in self.mark.lower()


def indentation(line: str) -> int:
    """Return how far a line is indented, a tab reaching to the next multiple of four."""
    spread = line.expandtabs(4)
    return len(spread) - len(spread.lstrip(" "))


def pieces(text: str) -> Iterator[Piece]:
    """Return the pieces of a file in their order; every line is in exactly one."""
    lines = text.split("\n")
    listings = Listings(lines, is_item=is_item, is_question=is_question)
    at = 0
    while at < len(lines):
        end, is_open = listings.end(at)
        if end > at:
            body = [*lines[at:end]]
            yield Piece(What.LISTING, at + 1, tuple(body), open=is_open)
        else:
            end = _comment_end(lines, at)
            yield piece_of(at + 1, tuple(lines[at:end]))
        at = end


def is_item(line: str) -> bool:
    """Return whether a line is an option with a box."""
    return _ITEM.match(line) is not None


def is_question(line: str) -> bool:
    """Return whether a line is a heading or label that counts questions."""
    heading = _HEADING.match(line)
    if heading:
        return len(heading["marks"]) > 1 and labelled(heading["text"], heading=True) is not None
    return indentation(line) <= _MARGIN and labelled(line, heading=False) is not None


def piece_of(number: int, lines: tuple[str, ...]) -> Piece:
    """Return what one line is, or one comment."""
    line = lines[0]
    stripped = line.strip()
    if stripped.startswith("<!--") and lines[-1].rstrip().endswith("-->"):
        return Piece(What.COMMENT, number, lines, "\n".join(lines).strip()[4:-3])
    if heading := _HEADING.match(line):
        return _heading(number, lines, heading)
    label = labelled(stripped, heading=False) if indentation(line) <= _MARGIN else None
    if label is not None and not is_item(line):
        return Piece(What.LABEL, number, lines, label, labelled=True)
    return _listed(number, lines) or Piece(_plain(line), number, lines, stripped)


def _listed(number: int, lines: tuple[str, ...]) -> Piece | None:
    """Return an option, a number or a list item; None for a line that is none of these."""
    line = lines[0]
    if _RULE.match(line):
        return Piece(What.RULE, number, lines)
    if item := _ITEM.match(line):
        mark = item["box"] or item["round"] or item["bare"]
        return Piece(What.ITEM, number, lines, item["text"], mark.replace("\\", ""))
    if numbered := NUMBERED.match(line):
        text = (numbered["bold"] or "") + (numbered["text"] or "")
        return Piece(What.NUMBER, number, lines, text, number=int(numbered["number"]))
    bullet = _BULLET.match(line)
    return Piece(What.BULLET, number, lines, bullet["text"]) if bullet else None


def _plain(line: str) -> What:
    if not line.strip():
        return What.BLANK
    if line.startswith(">"):
        return What.QUOTE
    stripped = line.strip()
    if stripped.startswith("|") or not _WORD.search(_PICTURE.sub("", stripped)):
        return What.SHOWN
    return What.TEXT


def _heading(number: int, lines: tuple[str, ...], found: re.Match[str]) -> Piece:
    text = found["text"].rstrip()
    closing = text.rstrip("#")
    if closing != text and (not closing or closing[-1] in " \t"):
        text = closing.rstrip()
    label, counted = labelled(text, heading=True), LABEL.match(text)
    return Piece(
        What.HEADING,
        number,
        lines,
        text if label is None else label,
        found["marks"],
        labelled=label is not None,
        counted=bool(counted and counted["word"]),
    )


def _comment_end(lines: list[str], at: int) -> int:
    """Return the line after a comment of several lines that begins here, else after this line."""
    if not lines[at].lstrip().startswith("<!--") or "-->" in lines[at]:
        return at + 1
    for end in range(at + 1, min(at + 50, len(lines))):
        if "-->" in lines[end]:
            return end + 1
    return at + 1
