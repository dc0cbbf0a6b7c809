r"""The `*` of accepted answers, which stands for any text; `\*` is a star and `\\` a backslash.

Where stars are literal (`Folding.wildcards`), all three are the signs that they are.
"""

import re
from collections.abc import Callable

from grading.short_text.folding import STAR, Folding, fold, strip_beginning, strip_end

_TOKEN = re.compile(r"\\([*\\])|(\*)", re.DOTALL)


def encode_stars(text: str, folding: Folding) -> str:
    """Return a text with `STAR` for its wildcards and with its escapes resolved."""
    if not folding.wildcards:
        return text
    return decode_wildcards(text)


def decode_wildcards(text: str) -> str:
    """Return a text whose stars are wildcards with `STAR` for them, its escapes resolved."""
    return _TOKEN.sub(lambda match: STAR if match[2] else match[1], text)


def escape_wildcards(text: str) -> str:
    r"""Write an accepted answer that means its words alone: a star is `\*`, a backslash `\\`."""
    return text.replace("\\", "\\\\").replace("*", "\\*")


def fold_key(text: str, folding: Folding) -> str:
    """Return an accepted answer folded, with `STAR` for its wildcards."""
    return fold(encode_stars(text, folding), folding)


def list_variants(marked: str, folding: Folding) -> tuple[str, ...]:
    """Return a folded key as it is, and as it is where a star at one of its ends is nothing.

    What stands before that star is then at the end, where it may not count: `Yes.*` is `yes`, too.
    """
    return tuple(
        variant
        for without_beginning in _vary(marked, str.lstrip, strip_beginning, folding)
        for variant in _vary(without_beginning, str.rstrip, strip_end, folding)
    )


def _vary(
    marked: str,
    cut: Callable[[str, str], str],
    strip: Callable[[str, Folding], str],
    folding: Folding,
) -> tuple[str, ...]:
    """Return the variants for one end; `cut` takes the stars there off, `strip` what is ignored.

    Where another star comes to that end, it takes whatever the first one takes.
    """
    while (bare := cut(marked, STAR)) != marked:
        stripped = strip(bare, folding)
        if stripped == bare:
            return (marked,)
        if cut(stripped, STAR) == stripped:
            return (marked, stripped)
        marked = stripped
    return (marked,)


def matches_wildcard(marked: str, text: str, *, is_collapsed: bool = False) -> bool:
    """Return whether a text has the pieces between the stars, in order, from end to end.

    Taking each piece at its first place is never wrong, so nothing is ever tried twice. Where
    blanks are collapsed, one is enough for a piece that ends and the next that begins with it.
    """
    first, *rest = marked.split(STAR)
    if not rest:
        return text == first
    if not text.startswith(first):
        return False
    at, before = len(first), first
    *middle, last = rest
    for piece in middle:
        start = text.find(piece, at - _count_shared(before, piece, is_collapsed))
        if start < 0:
            return False
        at, before = start + len(piece), piece or before
    start = len(text) - len(last)
    return start >= at - _count_shared(before, last, is_collapsed) and text.endswith(last)


def _count_shared(before: str, piece: str, is_collapsed: bool) -> int:
    """Return how many characters two pieces may share."""
    return int(is_collapsed and before.endswith(" ") and piece.startswith(" "))
