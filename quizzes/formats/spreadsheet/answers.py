"""Which options a cell calls right: by letters, numbers or their own words; never by guessing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizzes.formats.spreadsheet.columns import parse_letter

_PARTS = re.compile(r"\s*(?:[,;/&+\n]|(?<=\s)(?:and|y)(?=\s))\s*|\s+", re.IGNORECASE)
_LIST = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*")  # tried from the first blank of a run alone
_OPTION = re.compile(r"\(?(?:option |opción |opcion |answer |respuesta )?", re.IGNORECASE)
_LETTER = re.compile(r"\(?([A-Za-z]|\d{1,2})[.):]?")
_NUMBERS = re.compile(r"\d(?:\.\d)+")
_RUN = re.compile(r"[A-Z]{2,26}")
_NONE = ("none", "ninguna", "ninguno")

Options = Mapping[str, Sequence[str]]
"""Letter → what that option says, in every language."""


@dataclass(frozen=True, slots=True)
class RightOptions:
    """The letters of the right options, or `none` of them; `code`: what is wrong with the cell."""

    letters: frozenset[str] = frozenset()
    none: bool = False
    code: str = ""


def parse_right_options(cell: str, options: Options) -> RightOptions:
    """Read a cell; where a place is also the words of another option, no option is right."""
    if not cell.strip():
        return RightOptions(code="key_unknown")
    by_words, by_place = _find_by_words(cell, options), _find_by_place(cell, options)
    if by_words and by_place and by_words != by_place:
        return RightOptions(code="answer_ambiguous")
    if not by_words and not by_place and _fold(cell) in _NONE:
        return RightOptions(none=True)
    named = by_words or by_place
    letters = named & options.keys()
    if not letters or letters != named:
        return RightOptions(frozenset(letters), code="answer_unknown")
    is_list = not by_words and _NUMBERS.fullmatch(cell.strip())
    return RightOptions(frozenset(letters), code="number_as_list" if is_list else "")


def write_right_options(right: Sequence[str], options: Options) -> str:
    """Return right options (none: that none is right) as `parse_right_options` reads them."""
    letters = [letter.upper() for letter in right]
    forms = [", ".join(letters), ", ".join(f"{letter})" for letter in letters)]
    forms += [f"option {', '.join(letters)}"] if letters else []
    for form in forms if right else _NONE:
        parsed = parse_right_options(form, options)
        if parsed.letters == {*right} and parsed.none == (not right):
            return form
    return forms[0]


def _find_by_words(cell: str, options: Options) -> frozenset[str]:
    """Return the options whose words stand there: one alone, or several in a list."""
    for parts in ([cell], _LIST.split(cell.strip())):
        matches = [
            {letter for letter, words in options.items() if _fold(part) in map(_fold, words)}
            for part in parts
        ]
        if all(len(letters) == 1 for letters in matches):
            return frozenset().union(*matches)
    return frozenset()


def _find_by_place(cell: str, options: Options) -> frozenset[str]:
    """Return the options that are named by letter or number."""
    text = cell.strip()
    if _RUN.fullmatch(text) and {*text.lower()} <= options.keys() and len({*text}) == len(text):
        return frozenset(text.lower())
    if _NUMBERS.fullmatch(text):
        text = text.replace(".", ",")
    parts = [_LETTER.fullmatch(part) for part in _PARTS.split(_OPTION.sub("", text)) if part]
    if not all(parts):
        return frozenset()
    return frozenset(parse_letter(part[1].lower()) or part[1] for part in parts if part)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
