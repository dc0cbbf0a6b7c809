"""The header of a sheet of questions: which column holds what, in English or Spanish words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import ascii_lowercase

from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.spreadsheet.column_aliases import COLUMN_ALIASES
from quizzes.formats.tables import MOST_COLUMNS, TableFile

LETTERED = frozenset({"option", "weight", "feedback", "unchosen"})
TRANSLATED = frozenset("question option feedback unchosen explanation otherwise hint".split())
"""Parts that each language has."""
_LANGUAGES = dict.fromkeys("en english ingles".split(), "en") | dict.fromkeys(
    "es spanish espanol castellano".split(), "es"
)
_CODE = re.compile(r"[(\[]\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})?)\s*[)\]]\s*$", re.IGNORECASE)
_ENDING = re.compile(r"cion\b")
_RUN_TOGETHER = re.compile(r"(?<=[a-z])(?=\d|[A-Z]\b)")
_ALIASES = {
    alias: (part, language)
    for part, aliases in COLUMN_ALIASES.items()
    for language, words in zip(("en", "es"), aliases, strict=True)
    for alias in words.split()
}
"""Word → part, and the language of the word."""
_LETTERED_ALIASES = (
    {alias: part for alias, (part, _) in _ALIASES.items() if part in LETTERED}
    | dict.fromkeys(" ".join(COLUMN_ALIASES["option"]).split(), "option")
    | dict.fromkeys(("feedback", "retroalimentacion"), "feedback")
)
_OPTION_WORDS = {"option", "opcion", "answer", "respuesta"}
_LONGEST = 60
"""Characters of a heading."""
_LETTERS_ALONE = "abcdefghij"
"""Letters that are headings by themselves."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds: a part, of an option where it has a letter, in a language if named."""

    part: str
    letter: str = ""
    language: str = ""
    heading_language: str = field(default="", compare=False)


def parse_header(cells: Sequence[str]) -> dict[int, Column]:
    """Return what each column holds, as far as its heading says; none twice."""
    columns: dict[int, Column] = {}
    for place, cell in enumerate(cells[:MOST_COLUMNS]):
        column = _parse_heading(cell)
        if column and column in columns.values():  # perhaps one in each language
            columns = {
                at: _in_heading_language(other) if other == column else other
                for at, other in columns.items()
            }
            column = _in_heading_language(column)
        if column and column not in columns.values():
            columns[place] = column
    return columns


def count_columns(cells: Sequence[str]) -> int:
    """Return how many columns are known; 0 unless a question is, and something beside it."""
    parts = {(column.part, column.letter) for column in parse_header(cells).values()}
    beside = {("correct", ""), ("kind", ""), ("option", "a")}
    return len(parts) if ("question", "") in parts and parts & beside else 0


def write_heading(column: Column, language: str) -> str:
    """Return the heading of a column in English or Spanish words."""
    word = COLUMN_ALIASES[column.part][language.startswith("es")].split()[0]
    word = _ENDING.sub("ción", word).replace("-", " ")
    language_code = column.language and f"({column.language})"
    return " ".join(filter(None, (word, column.letter.upper(), language_code)))


def parse_letter(word: str) -> str:
    """Return the letter of an option by its letter or number; "" for any other word."""
    if word.isdecimal():
        return dict(enumerate(ascii_lowercase, start=1)).get(int(word), "")
    return word if len(word) == 1 and word in ascii_lowercase else ""


def find_language(tables: TableFile, language: str) -> tuple[str, bool]:
    """Return the language of columns that name none, and whether it is known, or none is needed."""
    texts, languages = list[str](), list[str]()
    for table in tables.tables:
        if (start := table.find_header(count_columns)) is None:
            continue
        columns = parse_header(table.rows[start].cells)
        languages += [column.language for column in columns.values() if column.language]
        texts += [
            row.cell(place)
            for row in table.rows[start + 1 :]
            for place, column in columns.items()
            if column.part in TRANSLATED and not column.language
        ]
    if languages and not texts:
        return language or languages[0], True
    language = language or detect_language("\n".join(texts))
    likely, _ = take_language(language, "\n".join(texts))
    return likely or "en", bool(language)


def _in_heading_language(column: Column) -> Column:
    if column.language or column.part not in TRANSLATED:
        return column
    return replace(column, language=column.heading_language)


@lru_cache(maxsize=4096)
def _parse_heading(cell: str) -> Column | None:
    if len(cell) > _LONGEST:
        return None
    code = _CODE.search(cell)
    language = code[1].lower() if code else ""
    name = cell[: code.start()] if code else cell
    words = slugify(_RUN_TOGETHER.sub(" ", name)).split("-")
    if not language and len(words) > 1 and words[-1] in _LANGUAGES:
        language = _LANGUAGES[words.pop()]
    column = next(_find_columns(words), None)
    return column and replace(column, language=language if column.part in TRANSLATED else "")


def _find_columns(words: Sequence[str]) -> Iterator[Column]:
    """Yield what these words may mean: without a letter, or with one."""
    alias = "-".join(words)
    part, heading_language = _ALIASES.get(alias, ("", ""))
    if part and part not in LETTERED:
        yield Column(part, heading_language=heading_language)
    if alias and alias in _LETTERS_ALONE:
        yield Column("option", alias)
    for place, word in enumerate(words):
        letter = parse_letter(word)
        others = [*words[:place], *words[place + 1 :]]
        if letter and len(others) > 1:
            others = [other for other in others if other not in _OPTION_WORDS] or others[:1]
        alias = "-".join(others)
        if letter and alias in _LETTERED_ALIASES:
            yield Column(_LETTERED_ALIASES[alias], letter, "", _ALIASES.get(alias, ("", ""))[1])
