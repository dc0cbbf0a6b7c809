"""What does not count when two texts are compared; each step looks at a character once.

Keys and answers go through the same folding: a key with wildcards has `STAR` in their places.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from grading.short_text.number_value import read_number

STAR = "\ufdd0"
"""Stands for any text in what is folded; Unicode promises that it is no character of anybody's."""

ANY_TEXT, LITERAL = "any_text", "literal"
"""What a star in a key is."""

COUNTED, COLLAPSED, IGNORED = "counted", "collapsed", "ignored"
"""Whether a difference counts; blanks may also be collapsed: one is as good as several."""

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\u02bb\u00b4\u2039\u203a"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f"
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl"}
_VISIBLE_FORMATS = frozenset(range(0x0600, 0x0606)) | {0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2}
_VARIANTS = (0x034F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))


def _of_category(category: str, codes: Iterable[int]) -> list[int]:
    return [code for code in codes if unicodedata.category(chr(code)) == category]


INVISIBLE = (
    frozenset(
        _of_category(
            "Cf", (*range(0x80, 0x3100), *range(0xFE00, 0x10000), *range(0xE0000, 0xE0080))
        )
    )
    .difference(_VISIBLE_FORMATS)
    .union(_VARIANTS)
)
"""What nobody sees: soft hyphens, joiners, marks of direction, byte order marks, variants."""


def _same_width(code: int) -> str:
    kind, _, rest = unicodedata.decomposition(chr(code)).partition(" ")
    return chr(int(rest, 16)) if kind in {"<wide>", "<narrow>"} else chr(code)


_FORMS: dict[int, str | None] = {
    **{code: _same_width(code) for code in range(0xFF00, 0xFFF0)},
    **dict.fromkeys(_of_category("Pd", range(0x80, 0x10000)), "-"),
    **dict.fromkeys(map(ord, _SINGLE_QUOTES), "'"),
    **dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"'),
    **_LIGATURES,
    0x2026: "...",
    0x2212: "-",
}
_BLANK_FORMS: dict[int, str | None] = {
    **dict.fromkeys(_of_category("Zs", range(0x80, 0x10000)), " "),
    **dict.fromkeys(INVISIBLE),
}
_ACCENTS: dict[int, str | None] = {
    **dict.fromkeys((*range(0x300, 0x370), *range(0x1AB0, 0x1B00), *range(0x1DC0, 0x1E00))),
    **dict(zip(map(ord, "øØłŁđĐħĦŧŦı"), "oOlLdDhHtTi", strict=True)),
    **dict(zip(map(ord, "æÆœŒ"), ("ae", "AE", "oe", "OE"), strict=True)),
}
"""Marks on Latin, Greek and Cyrillic letters; elsewhere a mark is mostly a vowel, so it stays."""

_ENYE = re.compile("([ñÑ])")

_BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")
_LINE_BREAKS = re.compile("[\n-\r\x85\u2028\u2029]+")
"""What parts lines: an answer stands on one, so each run of them is a blank. A tab is one, too,
unless every character counts."""
_BLANKS = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
_OPENING, _CLOSING = "\u00a1\u00bf", ".,;:!?\u060c\u061b\u061f\u0964\u3001\u3002\u2026"
"""The punctuation of sentences, at their beginning and at their end."""
_SPACES = re.compile(r"\s+")


def simplify_signs(text: str) -> str:
    """Return a text with the signs of a keyboard: plain quotes, dashes, letters, widths."""
    return text.translate(_FORMS)


@dataclass(frozen=True, slots=True)
class Folding:
    """What counts in a comparison.

    `spaces` is COUNTED, COLLAPSED or IGNORED; unless each counts, none does at either end. Without
    `punctuation`, that of sentences does not count at the ends. `typography`: the forms of signs
    count: kinds of quotes and dashes, an ellipsis, ligatures, widths. `as_typed`: so do kinds of
    blanks and what nobody sees, and where spaces are COUNTED those at the ends. `by_value`: texts
    that are numbers are equal if their values are. `wildcards`: a star in a key stands for any
    text, and a backslash before it makes it a star; without, both are signs like others.
    """

    case: bool = False
    accents: bool = True
    spaces: str = COLLAPSED
    punctuation: bool = False
    typography: bool = False
    as_typed: bool = False
    by_value: bool = False
    wildcards: bool = True

    @property
    def has_counted_ends(self) -> bool:
        """Whether blanks at the ends count, and tabs are no blanks."""
        return self.as_typed and self.spaces == COUNTED


def join_lines(text: str, folding: Folding) -> str:
    """Return a text on one line; a tab in it stays where blanks count as they were typed."""
    return (_LINE_BREAKS if folding.has_counted_ends else _BREAKS).sub(" ", text)


@lru_cache(maxsize=4096)
def fold(text: str, folding: Folding) -> str:
    """Return a text without the differences that do not count."""
    number = read_number(text) if folding.by_value and STAR not in text else None
    return fold_text(text, folding) if number is None else str(number)


def fold_text(text: str, folding: Folding) -> str:
    """Fold a text that is no number, or is not compared as one."""
    folded = fold_letters(text, folding)
    if folding.spaces != COUNTED:
        folded = _SPACES.sub(" " if folding.spaces == COLLAPSED else "", folded)
    return strip_end(strip_beginning(folded, folding), folding)


def strip_beginning(folded: str, folding: Folding) -> str:
    """Return a folded text without what does not count at its beginning."""
    return folded.lstrip(_blanks_at_ends(folding) + ("" if folding.punctuation else _OPENING))


def strip_end(folded: str, folding: Folding) -> str:
    """Return a folded text without what does not count at its end."""
    return folded.rstrip(_blanks_at_ends(folding) + ("" if folding.punctuation else _CLOSING))


def _blanks_at_ends(folding: Folding) -> str:
    return "" if folding.has_counted_ends else _BLANKS


@lru_cache(maxsize=4096)
def fold_letters(text: str, folding: Folding) -> str:
    """Fold all but spaces and punctuation: what can be done to each letter by itself."""
    line = join_lines(text, folding)
    visible = line if folding.as_typed else line.translate(_BLANK_FORMS)
    plain = visible if folding.typography else visible.translate(_FORMS)
    folded = unicodedata.normalize("NFC", plain)
    if not folding.case:
        folded = folded.casefold()
    if not folding.accents:
        # An ñ is a letter, not an n with something above it: año is not ano.
        parts = _ENYE.split(folded)
        parts[::2] = [unicodedata.normalize("NFD", part).translate(_ACCENTS) for part in parts[::2]]
        folded = "".join(parts)
    return unicodedata.normalize("NFC", folded)
