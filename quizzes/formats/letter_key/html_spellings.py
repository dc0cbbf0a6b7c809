"""Lists and check boxes of HTML, line by line, as those of Markdown. Pure."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from quizzes.formats.parsing.code_fences import find_code_lines

_CONTAINER = re.compile(
    r"[ \t]*(?:</?(?:ul|form|fieldset|div|section)\b[^<>]*>|</ol>)+[ \t]*$", re.IGNORECASE
)
_ORDERED = re.compile(r"[ \t]*<ol\b([^<>]*)>[ \t]*$", re.IGNORECASE)
_LETTERS = re.compile(r"type=[\"']?[aA]\b")
_ENTRY = re.compile(r"[ \t]*<li\b[^<>]*>[ \t]*(?P<text>.*)$", re.IGNORECASE)
_BOX = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:<(?:li|label|p|div)\b[^<>]*>[ \t]*)*"
    r"<input\b(?=[^<>]*\btype=[\"']?(?P<kind>checkbox|radio))(?P<rest>[^<>]*)>"
    r"(?P<text>.*)$",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:</(?:li|label|p|div|input)>|<br ?/?>|\\)$", re.IGNORECASE)
_KEYED = re.compile(
    r"[ \t]*<(?P<tag>li|div|button|p|span|a|label|option)\b"
    r"(?=[^<>]*\bdata-(?:is-)?(?:correct|right)=[\"']?(?P<right>true|false|0|1|yes|no)\b)[^<>]*>"
    r"(?P<text>.*)$",
    re.IGNORECASE,
)
"""An option of HTML that says itself whether it is right."""
_INNER_TAG = re.compile(
    r"(?P<code>`+[^`]+`+)|</?(?:span|div|p|b|strong|label|button|li|a|option)\b[^<>]*>",
    re.IGNORECASE,
)
_LABEL = re.compile(r"</?label\b[^<>]*>", re.IGNORECASE)
_RIGHT = frozenset({"true", "1", "yes"})
_LONGEST_TAG = 12
_CHECKED = re.compile(r"\bchecked\b", re.IGNORECASE)


def spell_html(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line; of a list its entries with letters, numbers, bullets or boxes."""
    names: str | None = None  # of the entries of an ordered list; "": they have numbers
    count, box = 0, ""
    for line, is_code in zip(lines, find_code_lines(lines), strict=True):
        if box and line.strip():
            yield f"{box}{_strip_tags(line)}"
            box = ""
        elif is_code or "<" not in line:
            yield line
        elif keyed := _KEYED.match(line):
            box = f"- [{'x' if keyed['right'].lower() in _RIGHT else ' '}] "
            text = _strip_tags(keyed["text"])
            yield f"{box}{text}" if text else ""
            box = "" if text else box
        elif checked := _BOX.match(line):
            text = _strip_closing(_LABEL.sub("", checked["text"]))
            yield f"- [{'x' if _CHECKED.search(checked['rest']) else ' '}] {text}"
        elif ordered := _ORDERED.match(line):
            names, count = (ascii_uppercase if _LETTERS.search(ordered[1]) else ""), 0
            yield ""
        elif _CONTAINER.match(line):
            names = None
            yield ""
        elif entry := _ENTRY.match(line):
            name = "-" if names is None else f"{names[count] if names else count + 1}."
            count = min(count + 1, len(ascii_uppercase) - 1)
            yield f"{name} {_strip_closing(entry['text'])}"
        else:
            yield line


def _strip_tags(text: str) -> str:
    """Return a text without tags, but for those in code."""
    return _INNER_TAG.sub(lambda match: match["code"] or "", text).strip()


def _strip_closing(text: str) -> str:
    """Return a text without the tags that close what it is in."""
    text = text.strip()
    while closing := _CLOSING.search(text[-_LONGEST_TAG:]):
        text = text[: -len(closing[0])].rstrip()
    return text
