"""What a text says without its markup: words for titles and search, fragments for lints."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from markdown_it.token import Token

from quizzes.lib.markup import tex_delimiters
from quizzes.lib.markup.parser import MAX_CHARACTERS, NO_CHARACTER, place_tokens

_BREAKS: Final = frozenset({"softbreak", "hardbreak"})
_CODE_BLOCKS: Final = frozenset({"fence", "code_block"})
_SPEAKING: Final = frozenset({"text", "code_inline"}) | tex_delimiters.TYPES

# Digits inside of words (GPT2, v1) belong to a name. Spaces that group digits are never the
# common one, or "in 5 100 words" would be one number.
_NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?\d+(?:[.,\u00a0\u2009\u202f]\d+)*")
_GROUPED = re.compile(r"(\d{1,3})((?:[.,\u00a0\u2009\u202f]\d{3})+)(?:([.,])(\d+))?")
_DECIMAL = re.compile(r"(\d+)[.,](\d+)")

# Nothing in a text without these is markup, so that it need not be parsed to be known. A lone
# carriage return ends a line for the parser, not for `^`.
_MARKED = re.compile(
    rf"[`$~\[\]<>*_\\&|#=]|\r(?!\n)|{NO_CHARACTER.pattern}"
    r"|^[^\S\n]*(?:\d+[.)]|[-+])|^(?: {4}| {0,3}\t)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Fragments:
    """What a translation must keep: each in order of appearance, repetitions included.

    `code_spans` are the inline ones, `listings` the blocks (their comments may be translated),
    `formulas` TeX with single spaces, `numbers` those outside of code and formulas, with
    decimal point and no grouping, so that 1,234.5 and 1.234,5 are equal.
    """

    code_spans: tuple[str, ...]
    formulas: tuple[str, ...]
    numbers: tuple[str, ...]
    listings: tuple[str, ...] = ()


def plain(source: str) -> str:
    """Return the words of a text on one line, formulas as TeX; raises MarkupTooLarge."""
    if not _has_markup(source):
        return " ".join(source.split())
    return _parse_words(source)


def _parse_words(source: str) -> str:
    parts = [
        placed.token.content
        if placed.token.type in _CODE_BLOCKS | {tex_delimiters.BLOCK}
        else words(placed.token.children or [])
        for placed in place_tokens(source)
        if placed.token.type in _CODE_BLOCKS | {tex_delimiters.BLOCK, "inline"}
    ]
    return " ".join(" ".join(parts).split())


def words(children: Iterable[Token]) -> str:
    """Return what a run of inline tokens says; a picture says its alternative text."""
    texts = []
    for token in children:
        if token.type == "image":
            texts.append(words(token.children or []))
        elif token.type in _SPEAKING:
            texts.append(token.content)
        elif token.type in _BREAKS:
            texts.append(" ")
    return "".join(texts)


def fragments(source: str) -> Fragments:
    """Return the code, formulas and numbers of a text; raises MarkupTooLarge."""
    if not _has_markup(source):
        return Fragments((), (), _numbers(source))
    return _parsed(source)


def _has_markup(source: str) -> bool:
    """Return whether a text may be more than its words, or is too large to be read."""
    return len(source) > MAX_CHARACTERS or bool(_MARKED.search(source))


def _parsed(source: str) -> Fragments:
    tokens = [placed.token for placed in place_tokens(source)]
    prose = [
        words(child for child in token.children or [] if child.type in _BREAKS | {"text", "image"})
        for token in tokens
        if token.type == "inline"
    ]
    return Fragments(
        code_spans=_contents(tokens, {"code_inline"}),
        formulas=tuple(" ".join(tex.split()) for tex in _contents(tokens, tex_delimiters.TYPES)),
        numbers=tuple(number for text in prose for number in _numbers(text)),
        listings=_contents(tokens, _CODE_BLOCKS),
    )


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(_neutral(match[0]) for match in _NUMBER.finditer(text))


def _contents(tokens: list[Token], types: AbstractSet[str]) -> tuple[str, ...]:
    return tuple(token.content for token in tokens if token.type in types)


def _neutral(number: str) -> str:
    """Write a number in one way for all languages; three digits at the end are a group.

    So "3,142" reads as 3142 in either language, which is wrong in one and equal in both.
    A leading zero tells a decimal: 0,125 is 0.125. Dates and versions stay as they are.
    """
    sign, digits = ("-", number[1:]) if number[0] in "-\u2212" else ("", number)
    grouped = _GROUPED.fullmatch(digits)
    if grouped and not digits.startswith("0") and grouped[3] != grouped[2][:1]:
        decimals = f".{grouped[4]}" if grouped[4] else ""
        return sign + grouped[1] + re.sub(r"\D", "", grouped[2]) + decimals
    if decimal := _DECIMAL.fullmatch(digits):
        return f"{sign}{decimal[1]}.{decimal[2]}"
    return sign + digits
