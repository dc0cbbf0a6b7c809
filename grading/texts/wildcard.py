r"""The `*` of accepted answers, which stands for any text; `\*` is a star and `\\` a backslash."""

import re

from grading.texts.folding import STAR

_TOKEN = re.compile(r"\\([*\\])|(\*)", re.DOTALL)


def mark_stars(text: str) -> str:
    """Give a text with `STAR` for its wildcards, and what was escaped as it is meant."""
    return _TOKEN.sub(lambda found: STAR if found[2] else found[1], text)


def matches(marked: str, text: str) -> bool:
    """Tell whether a text has the pieces between the stars, in order, from end to end.

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
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
