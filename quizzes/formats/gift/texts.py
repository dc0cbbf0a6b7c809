r"""The texts of GIFT: escapes (`\=` and their like), text format marks, and words as Markdown.

While a file is taken apart, escaped characters stand as control characters, which no decoded text
holds; so every sign that is left is one of the format's own.
"""

import re
from dataclasses import dataclass, field
from html import unescape

from quizzes.formats.builders import join_lines
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.lib.markup.escape import escape_markdown

_CONTROLS = dict(zip("~=#{}:\\n", map(chr, range(8)), strict=True))
_PROTECT = str.maketrans({sign: _CONTROLS[sign] for sign in "~=#"})
_ESCAPE = re.compile(r"\\([~=#{}:\\n])")
_RESTORE = {ord(control): "\n" if sign == "n" else sign for sign, control in _CONTROLS.items()}
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


def protect_escapes(text: str) -> str:
    """Return a text with control characters for what is escaped."""
    return _ESCAPE.sub(lambda match: _CONTROLS[match[1]], text)


def restore_escapes(text: str) -> str:
    """Return the words as they are meant, without space around them."""
    return text.strip().translate(_RESTORE)


def protect_attributes(text: str) -> str:
    """Return a text with `=`, `~` and `#` protected in attributes of HTML that nobody escaped."""
    return _ATTRIBUTES.sub(
        lambda match: (
            match[0].translate(_PROTECT) if '="' in match[0] or "='" in match[0] else match[0]
        ),
        text,
    )


@dataclass(slots=True)
class TextConverter:
    """Converts the texts of one item to Markdown; `format` is that of its prompt."""

    line: int
    format: str = "moodle"
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, text: str = "") -> None:
        """Add a note on this item."""
        self.notes.append(Note(code, self.line, self.quote(text)))

    def quote(self, text: str) -> str:
        """Return the beginning of a text as the file has it, without escapes."""
        return restore_escapes(text)[:LONGEST_QUOTE]

    def strip_format(self, text: str) -> str:
        """Return a prompt without its format mark, which is that of all texts below it."""
        self.format, rest = self._split_format(text)
        return rest

    def convert(self, text: str) -> str:
        """Return a text as Markdown."""
        text_format, rest = self._split_format(text)
        words = restore_escapes(rest)
        if text_format == "markdown":
            return words
        if text_format == "plain":
            return escape_markdown(words)
        html = words if text_format == "html" else _convert_automatic(words)
        markdown, notes = to_markdown(html, line=self.line)
        self.notes += notes
        return markdown

    def convert_line(self, text: str) -> str:
        """Return a text on one line, for an answer that is typed."""
        text_format, rest = self._split_format(text)
        words = restore_escapes(rest)
        if text_format == "html":
            words = unescape(_ANY_TAG.sub("", words))
        return join_lines(words)

    def _split_format(self, text: str) -> tuple[str, str]:
        match = _FORMAT.match(text)
        return (match[1].lower(), text[match.end() :]) if match else (self.format, text)


def _convert_automatic(text: str) -> str:
    """Return Moodle's automatic format as HTML: lines stay, `<` outside tags is escaped."""
    parts = _KNOWN.split("\n".join(line.strip() for line in text.split("\n")))
    for place in range(0, len(parts), 2):
        parts[place] = parts[place].replace("<", "&lt;").replace(">", "&gt;")
    return _BREAK.sub("<br>", "".join(parts))
