"""What in a text will not be shown as its author meant, named with line, for the admin."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from markdown_it.token import Token

from quizzes.lib.markup import addresses, code_blocks, formulas, tex_delimiters
from quizzes.lib.markup.budget import select_affordable
from quizzes.lib.markup.parser import (
    LINKS,
    MAX_BRACKETS,
    MAX_CELLS,
    MAX_CHARACTERS,
    MAX_NESTING,
    TABLES,
    PlacedToken,
    place_tokens,
    refused,
)


class MarkupWarningCode(StrEnum):
    """Codes; interfaces have the sentence of each."""

    TOO_LARGE = "markup_too_large"
    NESTED_TOO_DEEPLY = "nested_too_deeply"
    FORMULA_UNREADABLE = "formula_unreadable"
    TOO_MANY_FORMULAS = "too_many_formulas"
    LANGUAGE_UNKNOWN = "code_language_unknown"
    TABLES_TOO_LARGE = "tables_too_large"
    TOO_MANY_BRACKETS = "too_many_brackets"
    LISTING_TOO_LONG = "listing_too_long"
    PICTURE_NOT_OWN = "picture_not_own"
    LINK_UNSAFE = "link_unsafe"
    MEDIA_MALFORMED = "media_malformed"
    ALT_MISSING = "alt_missing"


@dataclass(frozen=True, slots=True)
class MarkupWarning:
    """One finding: its code, the line from 1, and the words of the author that it is about."""

    code: MarkupWarningCode
    line: int
    detail: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.code}: {self.detail}"


def markup_warnings(source: str) -> tuple[MarkupWarning, ...]:
    """Return all warnings in order of lines; never raises on any text."""
    if len(source) > MAX_CHARACTERS:
        detail = f"{len(source)} > {MAX_CHARACTERS}"
        return (MarkupWarning(MarkupWarningCode.TOO_LARGE, 1, detail),)
    placed = place_tokens(source)
    lints = [*_too_deep(placed), *_costly(placed)]
    if (rules := refused(source)) >= TABLES:
        lints.append(MarkupWarning(MarkupWarningCode.TABLES_TOO_LARGE, 1, f"> {MAX_CELLS}"))
    if rules >= LINKS:
        lints.append(MarkupWarning(MarkupWarningCode.TOO_MANY_BRACKETS, 1, f"> {MAX_BRACKETS}"))
    for line, token in placed:
        lints.extend(MarkupWarning(code, line, detail) for code, detail in _of_token(token))
    return tuple(sorted(lints, key=lambda problem: problem.line))


def _of_token(token: Token) -> Iterator[tuple[MarkupWarningCode, str]]:
    if token.type == "link_open":
        target = str(token.attrGet("href"))
        if not addresses.is_safe_link(target):
            yield MarkupWarningCode.LINK_UNSAFE, target
    elif token.type == "image":
        source = str(token.attrGet("src"))
        if not (addresses.is_own_image(source) or addresses.is_media_like(source)):
            yield MarkupWarningCode.PICTURE_NOT_OWN, source
    elif token.type == "fence":
        language = code_blocks.read_language(token.info)
        if not code_blocks.is_known_language(language):
            yield MarkupWarningCode.LANGUAGE_UNKNOWN, language


def _costly(placed: Sequence[PlacedToken]) -> Iterator[MarkupWarning]:
    within = select_affordable(placed)
    for line, token in placed:
        if token.type in tex_delimiters.TYPES:
            if id(token) not in within:
                yield MarkupWarning(MarkupWarningCode.TOO_MANY_FORMULAS, line, token.content)
            elif reason := _unreadable(token):
                detail = f"{reason}: {token.content}"
                yield MarkupWarning(MarkupWarningCode.FORMULA_UNREADABLE, line, detail)
        elif (
            token.type == "fence"
            and code_blocks.can_be_coloured(token.info)
            and id(token) not in within
        ):
            yield MarkupWarning(
                MarkupWarningCode.LISTING_TOO_LONG, line, code_blocks.read_language(token.info)
            )


def _unreadable(token: Token) -> str:
    """Return why a formula cannot be set, or an empty string."""
    try:
        formulas.to_mathml(token.content, display=token.type != tex_delimiters.INLINE)
    except formulas.FormulaUnreadable as error:
        return error.reason
    return ""


def _too_deep(placed: Sequence[PlacedToken]) -> Iterator[MarkupWarning]:
    """Yield a warning at the last level that the parser reads: it silently drops what is deeper."""
    for line, token in placed:
        if token.block and token.level >= MAX_NESTING - 1:
            yield MarkupWarning(MarkupWarningCode.NESTED_TOO_DEEPLY, line, f"level {token.level}")
            return
