"""The texts of XML: what stands between tags, and in attributes that learners read. Pure."""

import re
from collections.abc import Iterator
from html import unescape

from quizzes.formats.parsing.xml import decode_xml

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    r"|<(?P<close>/?)(?P<name>[\w:.-]+)(?P<attributes>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MARKUP = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:-]*)[^<>]*+>")
_NO_TEXT = frozenset({"script", "style"})
_CONTENT_ATTRIBUTES = frozenset({"alt", "answer", "display_name", "label", "mapKey", "map-key"})
"""Attributes whose text a learner reads, or that is right."""
_KEY_ATTRIBUTES = frozenset({"mapKey", "map-key"})
_DECLARATIONS = frozenset({"responseDeclaration", "qti-response-declaration"})
_TYPE_ATTRIBUTES = frozenset({"baseType", "base-type"})
_NAMES = frozenset({"identifier", "pair", "directedPair", "point"})
"""Types of responses whose values are names of choices or places in a picture, not words."""


def iterate_xml(data: bytes, structure: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield each text of a document with its line; those in elements of the `structure` are none.

    HTML in a text is still written as such.
    """
    path: list[str] = []
    line, response_type = 1, ""
    for token in _TOKEN.finditer(decode_xml(data)[0]):
        if token["name"]:
            name = token["name"].rpartition(":")[2]
            if token["close"]:
                path = path[: _find_last(path, name)]
            elif structure.isdisjoint((*path, name)):
                attributes = {
                    attribute[1].rpartition(":")[2]: attribute[2] or attribute[3] or ""
                    for attribute in _ATTRIBUTE.finditer(token["attributes"])
                }
                if name in _DECLARATIONS:
                    types = (attributes.get(attribute, "") for attribute in _TYPE_ATTRIBUTES)
                    response_type = next(filter(None, types), "")
                ignored = _KEY_ATTRIBUTES if response_type in _NAMES else frozenset()
                for attribute, value in attributes.items():
                    if attribute in _CONTENT_ATTRIBUTES and attribute not in ignored:
                        yield line, unescape(value)
            if not token["close"] and not token["attributes"].endswith("/"):
                path.append(name)
        elif structure.isdisjoint(path):
            text = token["cdata"] or unescape(token["text"] or "")
            yield from enumerate(_drop_markup(text).split("\n"), start=line)
        line += token[0].count("\n")


def _drop_markup(text: str) -> str:
    """Return HTML with a tag in the place of each, and of styles and scripts; lines stay lines."""
    parts: list[str] = []
    start, within = 0, ""
    for tag in _MARKUP.finditer(text):
        before, name = text[start : tag.start()], tag["name"].lower()
        parts += [_keep_lines(before) if within else before, "<m>", _keep_lines(tag[0])]
        start = tag.end()
        if within:
            within = "" if tag["close"] and name == within else within
        elif name in _NO_TEXT and not tag["close"]:
            within = name
    return "".join([*parts, text[start:]])


def _keep_lines(text: str) -> str:
    return "\n" * text.count("\n")


def _find_last(path: list[str], name: str) -> int:
    """Return the place of the innermost open element of this name; the end where none is open."""
    return next((at for at in reversed(range(len(path))) if path[at] == name), len(path))
