r"""Sounds and LaTeX in a field of a note become HTML with players and \(…\); its tags, ours."""

import re
from collections.abc import Iterator
from html import escape, unescape

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.naming import slug

_SOUND = re.compile(r"\[sound:([^\]\n<>\"]{1,300})\]")
_TITLED = re.compile(r"<span title=\"([^\"<>]*)\">\[sound:([^\]\n<>\"]{1,300})\]</span>")
"""How we write a sound whose words are known."""
_MARK = re.compile(r"\[(/?)(latex|\$\$?)\]")
_LINE = re.compile(r"<br ?/?>|</(?:div|p)>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_INLINE = re.compile(r"\$((?:[^$\\]|\\.)++)\$", re.DOTALL)
_DISPLAY = re.compile(
    r"\$\$((?:[^$\\]|\\.)++)\$\$|\\\[(.*)\\\]"
    r"|\\begin\{(displaymath|math|equation\*?)\}(.*)\\end\{\3\}",
    re.DOTALL,
)
_OF_ANKI = frozenset({"leech", "marked"})
"""Tags by which the program itself remembers how somebody learns."""


def spoken(field: str, line: int, notes: list[Note]) -> str:
    """Give a field as HTML that any page could have; what stays LaTeX is noted."""
    if "[" not in field:
        return field
    html = "".join(_formulas(field, line, notes))
    return _SOUND.sub(_player, _TITLED.sub(_player, html))


def words(field: str) -> str:
    """Give the words of a field without markup, on one line."""
    return " ".join(unescape(_TAG.sub(" ", _SOUND.sub(" ", field))).split())


def tags(said: str) -> tuple[str, ...]:
    """Give the tags of a note, which blanks part, as ours; each once."""
    words = (one for one in said.split() if one.lower() not in _OF_ANKI)
    return tuple(dict.fromkeys(filter(None, map(slug, words))))


def _player(sound: re.Match[str]) -> str:
    title = f' title="{sound[1]}"' if sound.re is _TITLED else ""
    return f'<audio src="{sound[sound.lastindex or 1]}"{title}></audio>'


def _formulas(field: str, line: int, notes: list[Note]) -> Iterator[str]:
    """Walk from mark to mark, once: what is never closed stays as it was written."""
    at, opened = 0, None
    for mark in _MARK.finditer(field):
        if opened is None and not mark[1]:
            yield field[at : mark.start()]
            at, opened = mark.start(), mark
        elif opened is not None and mark[1] and mark[2] == opened[2]:
            yield _formula(opened[2], field[opened.end() : mark.start()], line, notes)
            at, opened = mark.end(), None
    yield field[at:]


def _formula(mark: str, html: str, line: int, notes: list[Note]) -> str:
    tex = unescape(_TAG.sub("", _LINE.sub("\n", html))).replace("\xa0", " ").strip()
    if mark == "$":
        return _inline(tex)
    if mark == "$$":
        return _displayed(tex)
    if found := _INLINE.fullmatch(tex):
        return _inline(found[1])
    if found := _DISPLAY.fullmatch(tex):
        inner = found[1] or found[2] or found[4] or ""
        return _inline(inner) if found[3] == "math" else _displayed(inner)
    notes.append(Note("latex_as_text", line, tex[:LONGEST_QUOTE]))
    return escape(tex).replace("\n", "<br>")


def _inline(tex: str) -> str:
    return rf"\({escape(tex.strip())}\)"


def _displayed(tex: str) -> str:
    return rf"\[{escape(tex.strip())}\]"
