"""A checklist's lines, gathered into questions: heading, stem, items, and what stands below."""

import re
from dataclasses import dataclass, field

from quizzes.exchange.contract import Note

_ITEM = re.compile(
    r"(?P<indent>[ \t]*)[-*+][ \t]+(?P<mark>\[[ xX]\]|\([ xX]\))(?:[ \t]+(?P<text>.*)|$)"
)
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<text>.*?)[ \t#]*$")
_CALLED = re.compile(
    r"(?:\*\*)?(?:Question|Pregunta|Questão|Pergunta|Frage)[ \t]+\d{1,5}[.:)]?(?:\*\*)?[.:]?"
    r"(?:<br ?/?>)?[ \t]*(?P<text>.*)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<bold>\*\*)?\d{1,5}[.)][ \t]+(?P<text>.*)")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_SETTINGS = re.compile(r"<!--(?P<text>.*)-->[ \t]*$")


@dataclass(slots=True)
class Item:
    """One item of a list: its mark, in `[ ]` or in `( )`, and its lines below the first."""

    line: int
    right: bool
    round: bool
    text: str
    below: list[str] = field(default_factory=list)
    column: int = 6  # where its text begins


@dataclass(slots=True)
class Block:
    """One question as it stands; `marked`: a heading, a number or its name begins it."""

    line: int
    last: int
    heading: str = ""
    marked: bool = False
    stem: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    settings: str = ""
    open: bool = False

    @property
    def ours(self) -> bool:
        """Tell whether the heading is a name, as we write them."""
        return _NAME.fullmatch(self.heading) is not None

    def is_title(self, text: str) -> bool:
        """Tell whether the block is the file's title; `text` is the whole file."""
        return not self.items and bool(self.heading) and text.lstrip().startswith("# ")


class Blocks:
    """Takes the lines one after the other."""

    def __init__(self, text: str) -> None:
        self.blocks: list[Block] = []
        self._lines = text.split("\n")
        self._base = 0
        self._blank = True

    def gather(self) -> list[Block]:
        """Gather all lines; a fence that has no end ends before the next item or heading."""
        at = 0
        while at < len(self._lines):
            end = self._fence_end(at)
            if end > at:
                self._fenced(at, end)
                at = end
            else:
                self._line(at + 1, self._lines[at])
                at += 1
        return self.blocks

    def _fence_end(self, at: int) -> int:
        """Give the line after a listing that begins here; the same line where none does."""
        begins = _FENCE.match(self._lines[at])
        if not begins:
            return at
        indented = begins.start(1) > 1
        stop = 0
        for n in range(at + 1, len(self._lines)):
            line = self._lines[n]
            ends = _FENCE.match(line)
            if ends and ends[1].startswith(begins[1]) and ends.start(1) <= begins.start(1) + 1:
                return n + 1
            item = _ITEM.match(line)
            inside = item and indented and _indent(line) > self._base
            if (item and not inside) or _HEADING.match(line) or _CALLED.fullmatch(line):
                stop = stop or n
                if indented or _CALLED.fullmatch(line):
                    break
        self._open = True
        return stop or len(self._lines)

    _open = False

    def _fenced(self, at: int, end: int) -> None:
        lines = self._lines[at:end]
        if self._open:
            while len(lines) > 1 and not lines[-1].strip():
                lines.pop()
            fence = _FENCE.match(lines[0])
            lines.append(fence[0] if fence else "```")
        block = self._current(at + 1) if not self._is_below(lines[0]) else self.blocks[-1]
        (block.items[-1].below if block.items else block.stem).extend(lines)
        block.open = block.open or self._open
        block.last, self._open, self._blank = end, False, False

    def _is_below(self, line: str) -> bool:
        """Tell whether a line belongs to the item above it."""
        if not self.blocks or not self.blocks[-1].items:
            return False
        return _indent(line) > self._base + 1 or not (self._blank or _begins(line))

    def _current(self, line: int) -> Block:
        """Give the block whose stem is being read."""
        if not self.blocks or self.blocks[-1].items:
            self.blocks.append(Block(line, line))
        return self.blocks[-1]

    def _line(self, number: int, line: str) -> None:
        if not line.strip():
            self._rest(line)
            self._blank = True
            return
        item = _ITEM.match(line)
        if item and self._takes(item):
            self._item(number, item)
        elif self.blocks and self.blocks[-1].items and line.startswith(">"):
            self.blocks[-1].below.append(line)
            self.blocks[-1].last = number
        elif self._is_below(line):
            self.blocks[-1].items[-1].below.append(line)
            self.blocks[-1].last = number
        else:
            self._stem(number, line)
        self._blank = False

    def _rest(self, line: str) -> None:
        if self.blocks:
            block = self.blocks[-1]
            (block.items[-1].below if block.items else block.stem).append(line)

    def _takes(self, item: re.Match[str]) -> bool:
        first = not self.blocks or not self.blocks[-1].items
        return first or _indent(item["indent"]) <= self._base + 1

    def _item(self, number: int, item: re.Match[str]) -> None:
        if not self.blocks:
            self.blocks.append(Block(number, number))
        block, mark = self.blocks[-1], item["mark"]
        if not block.items:
            self._base = _indent(item["indent"])
        text, right = item["text"] or "", mark[1] in "xX"
        column = len(item[0][: len(item[0]) - len(text)].expandtabs(4))
        block.items.append(Item(number, right, mark.startswith("("), text, column=column))
        block.last = number

    def _stem(self, number: int, line: str) -> None:
        if heading := _HEADING.match(line):
            called = _CALLED.fullmatch(heading["text"])
            text = "" if called else heading["text"]
            stem = [called["text"]] if called and called["text"] else []
            self.blocks.append(Block(number, number, text, True, stem))  # noqa: FBT003  marked
            return
        if called := _CALLED.fullmatch(line):
            text = [called["text"]] if called["text"] else []
            self.blocks.append(Block(number, number, "", True, text))  # noqa: FBT003  marked
            return
        block = self._current(number)
        block.last = number
        if not any(block.stem) and (settings := _SETTINGS.match(line)):
            block.settings = settings["text"]
        else:
            self._begun(number, block, line)

    def _begun(self, number: int, block: Block, line: str) -> None:
        numbered = _NUMBERED.match(line)
        if (
            numbered
            and not any(block.stem)
            and not block.ours
            and (block.heading or not block.marked)
        ):
            if block.heading:  # of a part of the file
                block = Block(number, number)
                self.blocks.append(block)
            block.marked = True
            block.stem.append((numbered["bold"] or "") + numbered["text"])
        else:
            block.stem.append(line)


def _begins(line: str) -> bool:
    return any(one.match(line) for one in (_HEADING, _CALLED, _NUMBERED))


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def left_over(block: Block) -> list[Note]:
    """Give the lines of a block that is no question."""
    lines = [block.heading, *block.stem] if block.heading else block.stem
    return [
        Note("belongs_to_no_item", block.line + n, line.strip()[:200])
        for n, line in enumerate(lines)
        if line.strip()
    ]
