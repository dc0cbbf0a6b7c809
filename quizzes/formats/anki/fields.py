r"""Sounds and LaTeX in a field of a note become HTML with players and \(…\); its tags, ours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.formats.parsing.naming import slugify
from quizzes.lib.html_conversion import FindMedia, find_no_media

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
_ANKI_TAGS = frozenset({"leech", "marked"})
"""Tags by which the program itself remembers how somebody learns."""


@dataclass(slots=True)
class FieldReader:
    """Reads the fields of the note at this line, and takes notes on what they could not keep."""

    line: int
    find_media: FindMedia = find_no_media
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, quote: str = "") -> None:
        """Add a note, once."""
        note = Note(code, self.line, quote[:LONGEST_QUOTE])
        if note not in self.notes:
            self.notes.append(note)

    def to_markdown(self, html: str) -> str:
        """Return a field as our Markdown."""
        text, notes = to_markdown(self.to_html(html), line=self.line, media=self.find_media)
        if "![](media:" in text:
            self.note("picture_without_words")
        self.notes += [note for note in notes if note not in self.notes]
        return text

    def to_html(self, text: str) -> str:
        """Return a field as HTML that any page could have; what stays LaTeX is noted."""
        if "[" not in text:
            return text
        html = "".join(self._convert_formulas(text))
        return _SOUND.sub(_write_player, _TITLED.sub(_write_player, html))

    def _convert_formulas(self, text: str) -> Iterator[str]:
        """Walk from mark to mark, once: what is never closed stays as it was written."""
        end, opening = 0, None
        for mark in _MARK.finditer(text):
            if opening is None and not mark[1]:
                yield text[end : mark.start()]
                end, opening = mark.start(), mark
            elif opening is not None and mark[1] and mark[2] == opening[2]:
                yield self._convert_formula(opening[2], text[opening.end() : mark.start()])
                end, opening = mark.end(), None
        yield text[end:]

    def _convert_formula(self, mark: str, html: str) -> str:
        tex = unescape(_TAG.sub("", _LINE.sub("\n", html))).replace("\xa0", " ").strip()
        is_inline = mark == "$"
        if mark == "latex":
            if inline := _INLINE.fullmatch(tex):
                is_inline, tex = True, inline[1]
            elif display := _DISPLAY.fullmatch(tex):
                is_inline, tex = display[3] == "math", display[1] or display[2] or display[4] or ""
            else:
                self.note("latex_as_text", tex)
                return escape(tex).replace("\n", "<br>")
        tex = escape(tex.strip())
        return rf"\({tex}\)" if is_inline else rf"\[{tex}\]"


def read_words(text: str) -> str:
    """Return the words of a field without markup, on one line."""
    return " ".join(unescape(_TAG.sub(" ", _SOUND.sub(" ", text))).split())


def parse_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a note, which have blanks between them, as ours; each once."""
    tags = (slugify(tag) for tag in text.split() if tag.lower() not in _ANKI_TAGS)
    return tuple(dict.fromkeys(filter(None, tags)))


def _write_player(sound: re.Match[str]) -> str:
    title = f' title="{sound[1]}"' if sound.re is _TITLED else ""
    return f'<audio src="{sound[sound.lastindex or 1]}"{title}></audio>'
