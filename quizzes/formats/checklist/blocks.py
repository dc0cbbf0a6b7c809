"""A question of a checklist as it stands: what is above it, its options, what is below. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quizzes.formats.checklist.pieces import Piece, What
from quizzes.formats.checklist.texts import (
    CALLOUT,
    broken,
    closed,
    dedented,
    option,
    unquoted_lines,
)
from quizzes.formats.contract import Note

_SETTING = re.compile(r"\b(\w+):\s*([^;]*)")
_SETTINGS = frozenset({"kind", "scoring_method", "shuffle", "none_apply", "tags"})
_MARGIN = 3
PICTURE = re.compile(r"!\[[^\]\n]{0,300}\]\((?!https?:|media:)")
"""A picture that lies beside a file of text."""


@dataclass(slots=True)
class Item:
    """One option: the piece with its box, and the pieces below that belong to it."""

    piece: Piece
    below: list[Piece] = field(default_factory=list)

    @property
    def has_listing(self) -> bool:
        """Return whether a listing belongs to it."""
        return any(one.what is What.LISTING for one in self.below)

    @property
    def is_boxless(self) -> bool:
        """Return whether its box is missing."""
        return self.piece.what is What.BULLET

    @property
    def is_round(self) -> bool:
        """Return whether its box says that only one option is right."""
        return self.piece.mark.startswith("(")

    def read(self) -> tuple[str, str, bool]:
        """Return its text and feedback, and whether lines of code became a listing."""
        text = self.piece.text
        column = len(self.piece.lines[0].removesuffix(text).expandtabs(4))
        return option(text, dedented(self.below, column))


@dataclass(slots=True)
class Block:
    """One question as it stands: `head` above it, `stem` and `items`, what is told `below`."""

    head: Piece | None
    ours: bool = False
    is_numbered: bool = False  # a number begins its stem
    stem: list[Piece] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    below: list[Piece] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def pieces(self) -> Iterator[Piece]:
        """Return all its pieces."""
        if self.head:
            yield self.head
        yield from self.stem
        for item in self.items:
            yield item.piece
            yield from item.below
        yield from self.below

    @property
    def line(self) -> int:
        """Return its first line."""
        return next(one.line for one in self.pieces if one.what is not What.BLANK)

    @property
    def last(self) -> int:
        """Return its last line that is not empty."""
        return max(one.last for one in self.pieces if one.what is not What.BLANK)

    @property
    def has_key(self) -> bool:
        """Return whether an option is ticked."""
        return any(item.piece.right for item in self.items)

    @property
    def name(self) -> str:
        """Return what names it: its heading, unless that only counts."""
        head = self.head
        if head is None or head.what is not What.HEADING or not head.text or head.counted:
            return ""
        return head.lines[0].strip("# \t")

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings in the comment above its stem."""
        first = next((one for one in self.stem if one.what is not What.BLANK), None)
        if first is None or first.what is not What.COMMENT:
            return {}
        found = {name: value.strip() for name, value in _SETTING.findall(first.text)}
        return found if found.keys() and found.keys() <= _SETTINGS else {}

    @property
    def comments(self) -> list[Piece]:
        """Return its comments, but for the one that has its settings."""
        found = [one for one in self.pieces if one.what is What.COMMENT]
        return found[1:] if self.settings else found

    def prompt_lines(self) -> list[str]:
        """Return the lines of its prompt: its heading, too, unless that is a label or a name."""
        stem = [one for one in self.stem if one.what is not What.COMMENT]
        while stem and says_nothing(stem[:1]):
            stem.pop(0)
        while stem and says_nothing(stem[-1:]):
            stem.pop()
        lines = [line for one in stem for line in one.lines]
        if self.is_numbered and stem:
            lines[0] = stem[0].text
        head = None if self.ours else self.head
        if head is not None and head.text:
            is_near = head.what is What.LABEL and self.stem[:1] == stem[:1]
            lines = [head.text, *([] if is_near else [""]), *lines]
        return closed(stem, lines)

    def explanation(self) -> str:
        """Return what is said below its options, quotations without their marks."""
        lines: list[str] = []
        for piece in self.below:
            if piece.what is What.QUOTE:
                lines += [] if CALLOUT.match(piece.lines[0]) else unquoted_lines(piece.lines)
            elif piece.what not in {What.COMMENT, What.RULE}:
                lines += piece.lines
        return broken("\n".join(line.rstrip() for line in closed(self.below, lines)))

    def all_notes(self) -> Iterator[Note]:
        """Return what is to be told of it."""
        yield from self.notes
        if any(one.open for one in self.pieces):
            yield Note("fence_left_open", self.line)
        if PICTURE.search("\n".join(line for one in self.pieces for line in one.lines)):
            yield Note("picture_missing", self.line)
        base = min((item.piece.indent for item in self.items), default=0)
        for item in self.items:
            quote = item.piece.lines[0].strip()[:200]
            if item.is_boxless:
                yield Note("box_missing", item.piece.line, quote)
            elif item.piece.indent > base + _MARGIN:
                yield Note("option_indented", item.piece.line, quote)


def left_over(piece: Piece) -> Iterator[Note]:
    """Return a note for each line of a piece that belongs to no question."""
    code = "comment" if piece.what is What.COMMENT else "belongs_to_no_item"
    for number, line in enumerate(piece.lines, start=piece.line):
        if line.strip():
            yield Note(code, number, line.strip().lstrip("#").strip()[:200])


def says_nothing(pieces: Sequence[Piece]) -> bool:
    """Return whether pieces have no words for a learner."""
    return all(one.what in {What.BLANK, What.RULE, What.COMMENT} for one in pieces)
