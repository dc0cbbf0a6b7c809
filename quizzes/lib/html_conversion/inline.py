"""Runs of words: emphasis, code, links, pictures, formulas, raised and lowered characters."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from quizzes.lib.html_conversion.conversion_notes import ConversionNotes
from quizzes.lib.html_conversion.formulas import (
    GUARD_AFTER,
    GUARD_BEFORE,
    convert_mathml,
    escape_text,
    escape_with_formulas,
    find_equation,
    write_formula,
)
from quizzes.lib.html_conversion.tree import Tag

BREAK, EDGE = "\ue002", "\ue003"
_OURS = re.compile("[\ue000-\ue003]")
# Two runs of stars side by side would be one run of four.
_MEETING = re.compile(f"[{GUARD_AFTER}{EDGE}][{GUARD_BEFORE}{EDGE}]")
_APART = "&#8203;"
_BREAKS = re.compile(rf"((?<!\s)\s*(?:{BREAK}\s*)+)")
_SPACES = re.compile(r"(?<![ \t\n\r\f\xa0])\xa0*[ \t\n\r\f][ \t\n\r\f\xa0]*")
_AFTER = re.compile(rf"(\$?){GUARD_AFTER}([^\W_])?")
_BEFORE = re.compile(rf"([^\W_])?{GUARD_BEFORE}(\$?)")
_SIMPLE = re.compile(r"(?:[^\W_]|[ +\-=.,()]){1,40}")
_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\\]+", re.IGNORECASE)

_RAISED = dict(zip("0123456789+-=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))

_EMPHASIS = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "u", "ins", "mark"), "*"),
    **dict.fromkeys(("s", "del", "strike"), "~~"),
}
_DROPPED = frozenset(
    "applet button canvas embed iframe input noscript object script select style svg textarea"
    " title".split()
)
_SAYS_NOTHING = frozenset(
    {"base", "col", "link", "meta", "param", "source", "track", "wbr", "area"}
)


@dataclass(frozen=True, slots=True)
class InlineWriter:
    """Writes runs of words; in a `cell` of a table, what would end the cell is escaped.

    `within` are the emphases that the words are in already.
    """

    notes: ConversionNotes
    cell: bool = False
    within: frozenset[str] = frozenset()

    def run(self, nodes: Iterable[Tag | str]) -> str:
        """Return nodes one after another; guards and breaks are still marks in it."""
        return "".join(map(self._write, nodes))

    def _write(self, node: Tag | str) -> str:
        if isinstance(node, str):
            return escape_with_formulas(_OURS.sub("", node), cell=self.cell)
        if node.name in _EMPHASIS:
            return self._write_emphasis(node)
        if node.name in _DROPPED:
            return self._drop(node)
        if node.name in _SAYS_NOTHING:
            return ""
        return _WRITERS.get(node.name, InlineWriter._write_inside)(self, node)

    def _write_inside(self, node: Tag) -> str:
        return self.run(node.inside)

    def _write_emphasis(self, node: Tag) -> str:
        mark = _EMPHASIS[node.name]
        if mark in self.within:
            return self._write_inside(node)
        if node.name in {"u", "ins", "mark"}:
            self.notes.add("underline_as_emphasis", " ".join(node.get_text().split()))
        inside = InlineWriter(self.notes, self.cell, self.within | {mark}).run(node.inside)
        return "".join(
            part if BREAK in part else _mark(part, mark) for part in _BREAKS.split(inside)
        )

    def _drop(self, node: Tag) -> str:
        if node.name == "script" and node.get("type").startswith("math/tex"):
            is_display = "display" in node.get("type")
            return write_formula(node.get_text(), display=is_display, cell=self.cell)
        if node.name != "style":
            quote = node.get("src") or node.get("data") or " ".join(node.get_text().split())
            self.notes.add("element_dropped", quote, element=node.name)
        return ""

    def _write_code(self, node: Tag) -> str:
        text = " ".join(_OURS.sub("", node.get_text()).split())
        if not text:
            return ""
        fence = "`" * (find_longest_run(text) + 1)
        space = " " if text.startswith("`") or text.endswith("`") else ""
        text = text.replace("|", "\\|") if self.cell else text
        return f"{fence}{space}{text}{space}{fence}"

    def _write_link(self, node: Tag) -> str:
        inside, address = self._write_inside(node), node.get("href").strip()
        if not address or address.startswith("#") or not inside.strip():
            return inside
        if not _LINK.fullmatch(address):
            self.notes.add("link_dropped", address)
            return inside
        words = inside.replace(BREAK, " ").strip()
        address = address.replace("(", "%28").replace(")", "%29").replace("|", "%7C")
        return f"[{words}]({address})"

    def _write_media(self, node: Tag) -> str:
        is_picture = node.name == "img"
        if is_picture and (tex := find_equation(node)):
            return write_formula(tex, display=False, cell=self.cell)
        words = node.get("alt") if is_picture else node.get("title") or node.get_text()
        text = escape_text(" ".join(words.split()), cell=self.cell)
        sources = (node, *node.find_tags("source"))
        addresses = [address for source in sources if (address := source.get("src"))]
        for address in addresses:
            if name := self.notes.find_media(address):
                return f"![{text}](media:{name})"
        detail = {} if is_picture else {"element": node.name}
        code = "picture_elsewhere" if is_picture else "media_elsewhere"
        self.notes.add(code, next(iter(addresses), ""), **detail)
        return text

    def _shift(self, node: Tag, letters: Mapping[str, str], sign: str) -> str:
        """Return raised or lowered characters where there are such; else a formula."""
        if any(node.find_tags()):
            return self._write_inside(node)
        text = node.get_text().replace("\N{MINUS SIGN}", "-").strip()
        if all(character in letters for character in text):
            return "".join(letters[character] for character in text)
        if not _SIMPLE.fullmatch(text):
            return self._write_inside(node)
        tex = text if len(text) == 1 else rf"\text{{{text}}}"
        return write_formula(f"{sign}{{{tex}}}", display=False)


def finish_inline(run: str) -> str:
    """Return a run with its guards written out, and one space of many; breaks are still marks."""
    run = _MEETING.sub(_APART, _SPACES.sub(" ", run)).replace(EDGE, "")
    run = _AFTER.sub(lambda match: match[1] + _escape_beside(match[2], match[1]), run)
    return _BEFORE.sub(lambda match: _escape_beside(match[1], match[2]) + match[2], run)


def find_longest_run(text: str) -> int:
    """Return how many backticks the longest run of them has."""
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _escape_beside(character: str | None, mark: str) -> str:
    """Return a character so that the mark beside it stays one; dollars mind digits only."""
    if not character or (mark and not character.isdigit()):
        return character or ""
    return f"&#{ord(character)};"


def _mark(text: str, mark: str) -> str:
    """Return a text in marks, blanks outside of them, as Markdown needs it."""
    words = text.strip()
    if not words.strip(GUARD_BEFORE + GUARD_AFTER + EDGE):
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    left = EDGE if words[0].isalnum() else GUARD_BEFORE
    right = EDGE if words[-1].isalnum() else GUARD_AFTER
    return f"{before}{left}{mark}{words}{mark}{right}{after}"


_WRITERS: Mapping[str, Callable[[InlineWriter, Tag], str]] = {
    "a": InlineWriter._write_link,
    "audio": InlineWriter._write_media,
    "br": lambda _inline, _node: BREAK,
    "img": InlineWriter._write_media,
    "math": lambda inline, node: convert_mathml(node, inline.notes, cell=inline.cell),
    "sub": lambda inline, node: inline._shift(node, _LOWERED, "_"),
    "sup": lambda inline, node: inline._shift(node, _RAISED, "^"),
    "video": InlineWriter._write_media,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), InlineWriter._write_code),
}
