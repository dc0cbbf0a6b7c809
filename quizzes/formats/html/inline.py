"""Runs of words: emphasis, code, links, pictures, formulas, raised and lowered characters."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from quizzes.formats.html.conversion_notes import ConversionNotes
from quizzes.formats.html.formulas import (
    GUARD_AFTER,
    GUARD_BEFORE,
    formula,
    of_math,
    plain,
    with_formulas,
)
from quizzes.formats.html.tree import Tag

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
class Inline:
    """Writes runs of words; in a `cell` of a table, what would end the cell is written otherwise.

    `within` are the emphases that the words are in already.
    """

    telling: ConversionNotes
    cell: bool = False
    within: frozenset[str] = frozenset()

    def run(self, nodes: Iterable[Tag | str]) -> str:
        """Write nodes one after another; guards and breaks are still marks in it."""
        return "".join(self._one(node) for node in nodes)

    def _one(self, node: Tag | str) -> str:
        if isinstance(node, str):
            return with_formulas(_OURS.sub("", node), cell=self.cell)
        if node.name in _EMPHASIS:
            return self._emphasis(node)
        if node.name in _DROPPED:
            return self._dropped(node)
        if node.name in _SAYS_NOTHING:
            return ""
        return _WRITERS.get(node.name, Inline._inside)(self, node)

    def _inside(self, node: Tag) -> str:
        return self.run(node.inside)

    def _emphasis(self, node: Tag) -> str:
        mark = _EMPHASIS[node.name]
        if mark in self.within:
            return self._inside(node)
        if node.name in {"u", "ins", "mark"}:
            self.telling.note("underline_as_emphasis", " ".join(node.text().split()))
        inside = Inline(self.telling, self.cell, self.within | {mark}).run(node.inside)
        return "".join(
            piece if BREAK in piece else _marked(piece, mark) for piece in _BREAKS.split(inside)
        )

    def _dropped(self, node: Tag) -> str:
        if node.name == "script" and node.get("type").startswith("math/tex"):
            return formula(node.text(), display="display" in node.get("type"), cell=self.cell)
        if node.name != "style":
            quote = node.get("src") or node.get("data") or " ".join(node.text().split())
            self.telling.note("element_dropped", quote, element=node.name)
        return ""

    def _break(self, _node: Tag) -> str:
        return BREAK

    def _code(self, node: Tag) -> str:
        text = " ".join(_OURS.sub("", node.text()).split())
        if not text:
            return ""
        fence = "`" * (longest_run(text) + 1)
        room = " " if text.startswith("`") or text.endswith("`") else ""
        text = text.replace("|", "\\|") if self.cell else text
        return f"{fence}{room}{text}{room}{fence}"

    def _link(self, node: Tag) -> str:
        inside, address = self._inside(node), node.get("href").strip()
        if not address or address.startswith("#") or not inside.strip():
            return inside
        if not _LINK.fullmatch(address):
            self.telling.note("link_dropped", address)
            return inside
        return f"[{_flat(inside)}]({_address(address)})"

    def _picture(self, node: Tag) -> str:
        alt, address = " ".join(node.get("alt").split()), node.get("src")
        name = self.telling.media(address)
        if name:
            return f"![{plain(alt, cell=self.cell)}](media:{name})"
        self.telling.note("picture_elsewhere", address)
        return plain(alt, cell=self.cell)

    def _player(self, node: Tag) -> str:
        sources = [node.get("src"), *(one.get("src") for one in node.tags("source"))]
        words = " ".join((node.get("title") or node.text()).split())
        for address in filter(None, sources):
            if name := self.telling.media(address):
                return f"![{plain(words, cell=self.cell)}](media:{name})"
        self.telling.note("media_elsewhere", next(filter(None, sources), ""), element=node.name)
        return plain(words, cell=self.cell)

    def _math(self, node: Tag) -> str:
        return of_math(node, self.telling, cell=self.cell)

    def _raised(self, node: Tag) -> str:
        return self._shifted(node, _RAISED, "^")

    def _lowered(self, node: Tag) -> str:
        return self._shifted(node, _LOWERED, "_")

    def _shifted(self, node: Tag, letters: Mapping[str, str], sign: str) -> str:
        """Write it in characters of that kind where there are such; else as a formula."""
        if any(node.tags()):
            return self._inside(node)
        text = node.text().replace("\N{MINUS SIGN}", "-").strip()
        if all(character in letters for character in text):
            return "".join(letters[character] for character in text)
        if not _SIMPLE.fullmatch(text):
            return self._inside(node)
        tex = text if len(text) == 1 else rf"\text{{{text}}}"
        return formula(f"{sign}{{{tex}}}", display=False)


def settled(run: str) -> str:
    """Write out the guards, and make one space of many; breaks are still marks."""
    run = _MEETING.sub(_APART, _SPACES.sub(" ", run)).replace(EDGE, "")
    run = _AFTER.sub(_reference_after, run)
    return _BEFORE.sub(_reference_before, run)


def longest_run(text: str) -> int:
    """Count the backticks of the longest run of them."""
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _reference_after(found: re.Match[str]) -> str:
    mark, after = found.groups(default="")
    return mark + _as_reference(after, mark)


def _reference_before(found: re.Match[str]) -> str:
    before, mark = found.groups(default="")
    return _as_reference(before, mark) + mark


def _as_reference(character: str, mark: str) -> str:
    """Write a character so that the mark beside it stays one; dollars mind digits only."""
    harmless = not character or (mark and not character.isdigit())
    return character if harmless else f"&#{ord(character)};"


def _flat(inside: str) -> str:
    return inside.replace(BREAK, " ").strip()


def _marked(piece: str, mark: str) -> str:
    """Put marks round the words, blanks outside, as Markdown wants them."""
    words = piece.strip()
    if not words.strip(GUARD_BEFORE + GUARD_AFTER + EDGE):
        return piece
    before, after = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
    left = EDGE if words[0].isalnum() else GUARD_BEFORE
    right = EDGE if words[-1].isalnum() else GUARD_AFTER
    return f"{before}{left}{mark}{words}{mark}{right}{after}"


def _address(address: str) -> str:
    return address.replace("(", "%28").replace(")", "%29").replace("|", "%7C")


_WRITERS: Mapping[str, Callable[[Inline, Tag], str]] = {
    "a": Inline._link,
    "audio": Inline._player,
    "br": Inline._break,
    "img": Inline._picture,
    "math": Inline._math,
    "sub": Inline._lowered,
    "sup": Inline._raised,
    "video": Inline._player,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Inline._code),
}
