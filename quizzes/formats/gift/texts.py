r"""The texts of GIFT: escapes (`\=` and their like), text format marks, and words as Markdown.

While a file is taken apart, escaped characters stand as control characters, which no decoded text
holds; so every sign that is left is one of the format's own.
"""

import re
from dataclasses import dataclass, field
from html import unescape

from quizzes.formats.contract import Note
from quizzes.formats.html import to_markdown
from quizzes.formats.parsing.markdown_escape import escape_markdown

_MEANT = dict(zip("~=#{}:\\n", map(chr, range(8)), strict=True))
_ESCAPE = re.compile(r"\\([~=#{}:\\n])")
_RESTORE = {ord(held): "\n" if sign == "n" else sign for sign, held in _MEANT.items()}
_ATTRIBUTES = re.compile(r"<[A-Za-z][\w-]{0,20}\s[^<>{}]{1,2000}>")
_FORMAT = re.compile(r"\s*\[(html|markdown|plain|moodle)\]", re.IGNORECASE)
_TAGS = (
    "a|b|i|u|s|p|em|br|hr|li|ul|ol|td|th|tr|tt|h[1-6]|del|div|img|kbd|pre|sub|sup|var|big|code|"
    "font|samp|span|small|table|tbody|thead|strong|center|blockquote"
)
_KNOWN = re.compile(
    rf"(</?(?:{_TAGS})(?:\s[^<>]{{0,2000}})?/?>|<!--.{{0,2000}}?-->)", re.IGNORECASE | re.DOTALL
)
_BREAK = re.compile(r"(?<!>)\n(?!<)")
_ANY_TAG = re.compile(r"<[^<>]*>")


def protected(text: str) -> str:
    """Put what is escaped out of reach."""
    return _ESCAPE.sub(lambda found: _MEANT[found[1]], text)


def restored(text: str) -> str:
    """Give the words back as they are meant, without space around them."""
    return text.strip().translate(_RESTORE)


def guarded(text: str) -> tuple[str, bool]:
    """Put `=`, `~` and `#` within the attributes of HTML out of reach, where nobody escaped them.

    The second tells whether there were any.
    """
    table = str.maketrans({sign: _MEANT[sign] for sign in "~=#"})
    safe = _ATTRIBUTES.sub(
        lambda found: (
            found[0].translate(table) if '="' in found[0] or "='" in found[0] else found[0]
        ),
        text,
    )
    return safe, safe != text


@dataclass(slots=True)
class Texts:
    """Turns the texts of one item into ours; `format` is that of its prompt, if it has a mark."""

    line: int
    format: str = "moodle"
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, quote: str = "") -> None:
        """Note a thing about this item."""
        self.notes.append(Note(code, self.line, restored(quote)[:200]))

    def begun(self, text: str) -> str:
        """Take the mark off a prompt; what has none of its own is of this format from now on."""
        self.format, rest = self._marked(text)
        return rest

    def markdown(self, text: str) -> str:
        """Give a text as Markdown."""
        format_, rest = self._marked(text)
        words = restored(rest)
        if format_ == "markdown":
            return words
        if format_ == "plain":
            return escape_markdown(words)
        made, notes = to_markdown(words if format_ == "html" else _automatic(words), line=self.line)
        self.notes += notes
        return made

    def plain(self, text: str) -> str:
        """Give a text on one line, for an answer that is typed."""
        format_, rest = self._marked(text)
        words = restored(rest)
        if format_ == "html":
            words = unescape(_ANY_TAG.sub("", words))
        return " ".join(words.split())

    def _marked(self, text: str) -> tuple[str, str]:
        found = _FORMAT.match(text)
        return (found[1].lower(), text[found.end() :]) if found else (self.format, text)


def _automatic(text: str) -> str:
    """Give Moodle's own format as HTML: a line is a line, and `<` is one where no tag begins."""
    parts = _KNOWN.split("\n".join(line.strip() for line in text.split("\n")))
    for at in range(0, len(parts), 2):
        parts[at] = parts[at].replace("<", "&lt;").replace(">", "&gt;")
    return _BREAK.sub("<br>", "".join(parts))
