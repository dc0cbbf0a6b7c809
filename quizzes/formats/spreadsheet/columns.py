"""The header of a sheet of questions: which column holds what, in English or Spanish words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from quizzes.formats.parsing.naming import slug
from quizzes.formats.spreadsheet.headwords import WORDS
from quizzes.formats.tables import MOST_COLUMNS

LETTERED = frozenset({"option", "weight", "feedback", "unchosen"})
SPOKEN = frozenset("question option feedback unchosen explanation otherwise hint".split())
"""Parts that each language has."""
_LANGUAGES = {
    "en": "en english ingles",
    "es": "es spanish espanol castellano",
}
_CODE = re.compile(r"[(\[]\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})?)\s*[)\]]\s*$", re.IGNORECASE)
_ENDING = re.compile(r"cion\b")
_RUN_TOGETHER = re.compile(r"(?<=[a-z])(?=\d|[A-Z]\b)")
_PLAIN = {
    word: (part, language)
    for part, both in WORDS.items()
    for language, words in zip(("en", "es"), both, strict=True)
    for word in words.split()
}
_STEMS = {
    word: part for word, (part, _) in _PLAIN.items() if part in LETTERED - {"option"}
} | dict.fromkeys(" ".join(WORDS["option"]).split(), "option")
_STEMS |= {"feedback": "feedback", "retroalimentacion": "feedback"}
_OPTION_WORDS = {"option", "opcion", "answer", "respuesta"}
_LONGEST = 60
"""Characters of a heading."""
_ALONE = "abcdefghij"
"""Letters that are headings by themselves."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds: a part, of an option where it has a letter, in a language if told."""

    part: str
    letter: str = ""
    language: str = ""
    word: str = ""  # the language of the heading itself


def headings(cells: Sequence[str]) -> dict[int, Column]:
    """Tell for each column what it holds, as far as its heading says; none twice."""
    found: dict[int, Column] = {}
    for at, cell in enumerate(cells[:MOST_COLUMNS]):
        column = _column(cell)
        if column is None:
            continue
        rivals = [one for one, held in found.items() if _same(held, column)]
        for one in rivals:
            found[one] = _by_word(found[one])
        column = _by_word(column) if rivals else column
        if not any(_same(held, column) for held in found.values()):
            found[at] = column
    return found


def fits(cells: Sequence[str]) -> int:
    """Count the columns that are known; 0 unless there is a question, and something beside it."""
    parts = {(one.part, one.letter) for one in headings(cells).values()}
    if ("question", "") not in parts or not parts & {
        ("correct", ""),
        ("kind", ""),
        ("option", "a"),
    }:
        return 0
    return len(parts)


def heading(part: str, letter: str = "", language: str = "", *, spoken: str) -> str:
    """Write a heading in the language `spoken`, English or Spanish."""
    word = WORDS[part][spoken.startswith("es")].split()[0]
    word = _ENDING.sub("ción", word).replace("-", " ")
    return " ".join(filter(None, (word, letter.upper(), language and f"({language})")))


def _same(one: Column, other: Column) -> bool:
    return (one.part, one.letter, one.language) == (other.part, other.letter, other.language)


def _by_word(column: Column) -> Column:
    """Take the language of the heading's word for that of the column."""
    if column.language or column.part not in SPOKEN:
        return column
    return Column(column.part, column.letter, column.word, column.word)


@lru_cache(maxsize=4096)
def _column(cell: str) -> Column | None:
    if len(cell) > _LONGEST:
        return None
    said = _CODE.search(cell)
    language = said[1].lower() if said else ""
    named = cell[: said.start()] if said else cell
    words = slug(_RUN_TOGETHER.sub(" ", named)).split("-")
    for code, names in _LANGUAGES.items():
        if not language and len(words) > 1 and words[-1] in names.split():
            language, words = code, words[:-1]
    for part, letter, word in _candidates(words):
        spoken = language if part in SPOKEN else ""
        return Column(part, letter, spoken, word)
    return None


def _candidates(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Give the parts that these words may mean: with a letter, or without."""
    whole = "-".join(words)
    part, word = _PLAIN.get(whole, ("", ""))
    if part and part not in LETTERED:
        yield part, "", word
    if whole and whole in _ALONE:
        yield "option", whole, ""
    for at, word in enumerate(words):
        letter = _letter(word)
        rest = [one for n, one in enumerate(words) if n != at]
        if letter and len(rest) > 1:
            rest = [one for one in rest if one not in _OPTION_WORDS] or rest[:1]
        stem = "-".join(rest)
        if letter and stem in _STEMS:
            yield _STEMS[stem], letter, _PLAIN.get(stem, ("", ""))[1]


def _letter(word: str) -> str:
    if len(word) == 1 and word in ascii_lowercase:
        return word
    if word.isdecimal() and 1 <= int(word) <= len(ascii_lowercase):
        return ascii_lowercase[int(word) - 1]
    return ""
