r"""The `*` of accepted answers, which stands for any text; `\*` is a star and `\\` a backslash."""

import re

from grading.short_text.folding import STAR

_TOKEN = re.compile(r"\\([*\\])|(\*)", re.DOTALL)


def encode_stars(text: str) -> str:
    """Return a text with `STAR` for its wildcards and with its escapes resolved."""
    return _TOKEN.sub(lambda match: STAR if match[2] else match[1], text)


def matches_wildcard(marked: str, text: str) -> bool:
    """Return whether a text has the pieces between the stars, in order, from end to end.

    Taking each piece at its first place is never wrong, so nothing is ever tried twice.
    """
    first, *rest = marked.split(STAR)
    if not rest:
        return text == first
    *middle, last = rest
    end = len(text) - len(last)
    if len(first) > end or not (text.startswith(first) and text.endswith(last)):
        return False
    at = len(first)
    for piece in middle:
        start = text.find(piece, at, end)
        if start < 0:
            return False
        at = start + len(piece)
    return True
