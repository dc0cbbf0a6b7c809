"""Which options a cell calls right: by letters, numbers or their own words; never by guessing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

_PARTS = re.compile(r"\s*(?:[,;/&+\n]|(?<=\s)(?:and|y)(?=\s))\s*|\s+", re.IGNORECASE)
_LIST = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*")  # tried from the first blank of a run alone
_NAMED = re.compile(r"\(?(?:option |opción |opcion |answer |respuesta )?", re.IGNORECASE)
_ONE = re.compile(r"\(?([A-Za-z]|\d{1,2})[.):]?")
_NUMBERS = re.compile(r"\d(?:\.\d)+")
_RUN = re.compile(r"[A-Z]{2,26}")
_NONE = ("none", "ninguna", "ninguno")


@dataclass(frozen=True, slots=True)
class Answers:
    """The letters of the right options; `none`: that none is right is said; `code`: what is odd."""

    right: frozenset[str] = frozenset()
    none: bool = False
    code: str = ""


def answers(cell: str, options: Mapping[str, Sequence[str]]) -> Answers:
    """Read a cell; `options` gives each letter what that option says, in every language.

    Where a number or a letter is the place of one option and the words of another: no answer.
    """
    if not cell.strip():
        return Answers(code="key_unknown")
    spelt, placed = _spelt(cell, options), _placed(cell, options)
    if spelt and placed and spelt != placed:
        return Answers(code="answer_ambiguous")
    if not spelt and not placed and _fold(cell) in _NONE:
        return Answers(none=True)
    found = spelt or placed
    known = found & options.keys()
    if not known:
        return Answers(code="answer_unknown")
    if known != found:
        return Answers(frozenset(known), code="answer_unknown")
    code = "number_as_list" if not spelt and _NUMBERS.fullmatch(cell.strip()) else ""
    return Answers(frozenset(known), code=code)


def named(right: Sequence[str], options: Mapping[str, Sequence[str]]) -> str:
    """Write the letters of right options (none: that none is right) as `answers` reads them."""
    letters = [letter.upper() for letter in right]
    forms = [", ".join(letters), ", ".join(f"{one})" for one in letters)]
    forms += [f"option {', '.join(letters)}"] if letters else []
    for form in forms if right else _NONE:
        found = answers(form, options)
        if found.right == {*right} and found.none == (not right):
            return form
    return forms[0]


def _spelt(cell: str, options: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Find the options whose words stand there: one alone, or several in a list."""
    for parts in ([cell], _LIST.split(cell.strip())):
        found = [
            {letter for letter, words in options.items() if _fold(part) in map(_fold, words)}
            for part in parts
        ]
        if all(len(one) == 1 for one in found):
            return frozenset().union(*found)
    return frozenset()


def _placed(cell: str, options: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Find the options that are named by letter or number."""
    text = cell.strip()
    if _RUN.fullmatch(text) and {*text.lower()} <= options.keys() and len({*text}) == len(text):
        return frozenset(text.lower())
    if _NUMBERS.fullmatch(text):
        text = text.replace(".", ",")
    parts = [_ONE.fullmatch(part) for part in _PARTS.split(_NAMED.sub("", text)) if part]
    if not parts or not all(parts):
        return frozenset()
    return frozenset(_letter(part[1]) for part in parts if part)


def _letter(named: str) -> str:
    if not named.isdecimal():
        return named.lower()
    number = int(named)
    return ascii_lowercase[number - 1] if 1 <= number <= len(ascii_lowercase) else named


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
