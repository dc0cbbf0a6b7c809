"""Texts as they are compared: letters and digits alone, whatever markup is around them. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape

from quizzes.imports.accounting.marks import HTML_TAG

_INLINE_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_TAG_IN_CODE = re.compile(r"<(?!m>)|(?<!<m)>")
"""The signs of a tag, but for what stands in the place of a mark."""
_MARK = re.compile(r"[\W_]+")


def squeeze(text: str) -> str:
    """Return the letters and digits of a text, small and without accents.

    Characters that HTML writes by name count as what they are.
    """
    letters = unicodedata.normalize("NFKD", unescape(text).casefold())
    return _MARK.sub("", letters)


def split_segments(text: str) -> Iterator[str]:
    """Yield what is between the tags of a text, squeezed; what has neither letter nor digit not.

    Tags in inline code are words of it.
    """
    if "`" in text:
        text = _INLINE_CODE.sub(lambda code: _TAG_IN_CODE.sub(" ", code[0]), text)
    for part in HTML_TAG.split(text):
        if segment := squeeze(part):
            yield segment
