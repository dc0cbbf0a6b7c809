"""The lines of a checklist by type: headings, labels, options, code, plain text. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from quizzes.formats.parsing.labels import LABEL, split_number, strip_label

_OPTION = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])"
    r"(?:[ \t]*(?P<box>\\?\[[ \t]?(?:[xX*✓✔✅ ]\ufe0f?)?[ \t]?\\?\])(?![(\[:])"
    r"|[ \t]+(?P<round>\([ xX*•]\))(?=\s|$))"
    r"|(?P<bare>\[[xX✓✔ ]\]|\([ xX*•]\))(?=[ \t`]|$))[ \t]*(?P<text>.*)"
)
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>.*)$")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(?P<text>\S.*)")
_RULE = re.compile(
    r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|#{1,6})$|[ \t]*@{2,}[ \t]*$"
)
_PICTURE = re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,600}\)|<img\b[^<>]*>|<br ?/?>", re.IGNORECASE)
_TAGS = re.compile(
    r"(?:<(?:/(?:p|div|span|center|font|section|article|ul|ol|li)"
    r"|/?quiz|(?:p|div|center|br)\b[^<>]*)>[ \t]*)+",
    re.IGNORECASE,
)
"""Tags of HTML alone on a line."""
_COLONS = ":::"
"""How a line begins that opens or closes a block of other tools: "::: quiz"."""
_NAVIGATION = re.compile(r"(?:[^\w!]|_){0,6}\[[^\]]*\] ?\(#[^()]*\)[\W_]{0,6}|<a\b[^<>]*>[ ]?</a>")
"""A link to another place of the page, or such a place."""
_ABOUT = re.compile(
    r"[*_]{0,3}(?:difficulty|dificultad|dificuldade|bloom(?:[’']s)?(?: level| taxonomy)?|topic"
    r"|category|categor[ií]a|tema|domain|learning objective|skill)[*_]{0,3}:[*_]{0,3}[ ]\S.{0,60}$",
    re.IGNORECASE,
)
"""What a page says about a question, to nobody who answers it."""
_STARTS_BARE = re.compile(r"[ \t]{0,12}(?:\[[xX ]\]|\([xX ]\))(?=[ \t`])")
_BARE = re.compile(r"(?<!\S)(?:\[[xX ]\]|\([xX ]\))(?=[ \t`])")
_BELOW_PROMPT = re.compile(r"(?<=\S)[ ]{3}(?=\[[ x]\] A\) )")
"""Where a line of boxes with letters begins below its prompt, on the same line."""
_WORD = re.compile(r"\w")
_MARGIN = 3


class LineType(Enum):
    """What a line of a checklist is."""

    BLANK = auto()
    HEADING = auto()
    LABEL = auto()
    NUMBER = auto()
    OPTION = auto()
    BULLET = auto()
    CODE = auto()
    QUOTE = auto()
    COMMENT = auto()
    RULE = auto()
    TEXT = auto()
    FIGURE = auto()  # a picture or a row of a table


_TICKS = frozenset("xX*•✓✔✅")
_EMPTY = frozenset({LineType.BLANK, LineType.RULE, LineType.COMMENT})
_WORDS = frozenset({LineType.TEXT, LineType.NUMBER, LineType.BULLET, LineType.LABEL})


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """One line, or one listing or comment with all its lines; `text` is what follows its mark."""

    type: LineType
    line: int
    lines: tuple[str, ...]
    text: str = ""
    mark: str = ""  # of an option, a heading
    number: int = 0
    labelled: bool = False
    counted: bool = False  # its label is a word with a number
    is_open: bool = False  # a listing without an end

    @property
    def end_line(self) -> int:
        """Return its last line."""
        return self.line + len(self.lines) - 1

    @property
    def indent(self) -> int:
        """Return how far its first line is indented."""
        return measure_indent(self.lines[0])

    @property
    def is_ticked(self) -> bool:
        """Return whether it is an option with a tick."""
        return not _TICKS.isdisjoint(self.mark)

    @property
    def is_empty(self) -> bool:
        """Return whether it shows nothing to a learner."""
        return self.type in _EMPTY

    @property
    def asks(self) -> bool:
        """Return whether it is text that ends as a question does."""
        return self.type is LineType.TEXT and self.text.rstrip(" *_`\\").endswith(("?", "？"))

    @property
    def has_words(self) -> bool:
        """Return whether it is text that could ask a question."""
        return self.type in _WORDS


def measure_indent(line: str) -> int:
    """Return how far a line is indented, a tab reaching to the next multiple of four."""
    spaced = line.expandtabs(4)
    return len(spaced) - len(spaced.lstrip(" "))


def is_option(line: str) -> bool:
    """Return whether a line is an option with a box."""
    return _OPTION.match(line) is not None


def is_question(line: str) -> bool:
    """Return whether a line is a heading or label that counts questions."""
    if not line.strip():
        return False
    heading = _HEADING.match(line)
    if heading:
        return len(heading["marks"]) > 1 and strip_label(heading["text"], heading=True) is not None
    return measure_indent(line) <= _MARGIN and strip_label(line, heading=False) is not None


def split_boxes(line: str) -> list[str]:
    """Return the options of a line that has several boxes without bullets, else the line.

    The prompt of options that have letters, too, may stand first on it.
    """
    below = _BELOW_PROMPT.search(line) if "[" in line and not _OPTION.match(line) else None
    first = below.end() if below else 0
    boxes = [*_BARE.finditer(line, first)] if _STARTS_BARE.match(line, first) else []
    starts = [*{0: 0, first: first}, *(box.start() for box in boxes[1:])]
    return [
        line[start:end].rstrip() for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]


def parse_line(number: int, lines: tuple[str, ...]) -> ChecklistLine:
    """Return what one line is, or one comment."""
    line, text = lines[0], lines[0].strip()
    build = partial(ChecklistLine, line=number, lines=lines)
    if text.startswith("<!--") and lines[-1].rstrip().endswith("-->"):
        return build(LineType.COMMENT, text="\n".join(lines).strip()[4:-3])
    is_about = text[:1] in {"*", "_"} and ":" in text and _ABOUT.match(text)
    is_tags = text[:1] == "<" and _TAGS.fullmatch(text)
    if is_about or is_tags or text.startswith(_COLONS):
        return build(LineType.COMMENT, text=text)
    if heading := _HEADING.match(line):
        text = _strip_closing(heading["text"].rstrip())
        label, counted = strip_label(text, heading=True), LABEL.match(text)
        return build(
            LineType.HEADING,
            text=text if label is None else label,
            mark=heading["marks"],
            labelled=label is not None,
            counted=bool(counted and (counted["word"] or counted["counted"])),
        )
    option = _OPTION.match(line)
    is_near = measure_indent(line) <= _MARGIN and not option
    if is_near and (label := strip_label(text, heading=False)) is not None:
        return build(LineType.LABEL, text=label, labelled=True)
    if option:
        mark = option["box"] or option["round"] or option["bare"]
        return build(LineType.OPTION, text=option["text"], mark=mark.replace("\\", ""))
    return _parse_text(line, build)


def _parse_text(line: str, build: Callable[..., ChecklistLine]) -> ChecklistLine:
    """Return a line that is no comment, heading, label or option."""
    text = line.strip()
    if _RULE.match(line):
        return build(LineType.RULE)
    if numbered := split_number(line):
        number, words = numbered
        return build(LineType.NUMBER, text=words, number=number)
    if bullet := _BULLET.match(line):
        return build(LineType.BULLET, text=bullet["text"])
    type_ = LineType.TEXT
    if not text:
        type_ = LineType.BLANK
    elif text[-1] in ">)*_" and _NAVIGATION.fullmatch(text):
        type_ = LineType.COMMENT
    elif line.startswith(">"):
        type_ = LineType.QUOTE
    elif text.startswith("|") or not _WORD.search(_PICTURE.sub("", text)):
        type_ = LineType.FIGURE
    return build(type_, text=text)


def _strip_closing(text: str) -> str:
    """Return the text of a heading without the marks that close it."""
    stripped = text.rstrip("#")
    return stripped.rstrip() if not stripped or stripped[-1] in " \t" else text
