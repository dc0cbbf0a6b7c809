"""The rules of sheets: Kahoot's numbers of right answers; our own columns of keys and weights."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from unicodedata import combining, normalize

from quizzes.formats import kahoot
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.spreadsheet.columns import Column, count_columns, parse_header
from quizzes.formats.tables import TableFile, read_delimited, read_workbook
from quizzes.source_scoring.answer_credits import (
    RESPONSE,
    SourceNumber,
    SourceShare,
    build_choice_rules,
    build_marked_rules,
    build_number_rules,
    build_slot_rules,
    list_literals,
    number_options,
)
from quizzes.source_scoring.rules import (
    LocatedRules,
    NotComparable,
    SourceRules,
    SourceSlot,
    UndeterminedScore,
    locate_rules,
    simplify_text,
)

Cells = Mapping[Column, str]
"""The cells of a row by what they hold."""

_LETTERS = re.compile(r"[A-Za-z](?:\s*[,;]\s*[A-Za-z])*")
_CREDIT = re.compile(r"[+\-−]?[\d.,/ ]{1,30}%")
_SHARE = re.compile(r"\s*([+\-−]?[\d.,]+)\s*(?:/\s*(\d+))?\s*(%?)\s*")
_BOUND = re.compile(r"\blower_bound\s*=\s*([^;\n]+)")
_ONE = Fraction(1)
_MANY = frozenset({"multiple", "múltiple"})


def read_kahoot(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each row of a sheet of Kahoot."""
    tables = kahoot.read_tables(data)
    yield from _locate(tables, kahoot.count_columns, kahoot.parse_header, _read_numbered)


def read_csv(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each row of text with our columns."""
    tables = read_delimited(data, count_columns)
    yield from _locate(tables, count_columns, parse_header, _read_own)


def read_xlsx(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each row of a workbook with our columns."""
    yield from _locate(
        read_workbook(data, None, count_columns), count_columns, parse_header, _read_own
    )


def _locate(
    tables: TableFile,
    count: Callable[[tuple[str, ...]], int],
    parse: Callable[[tuple[str, ...]], Mapping[int, Column]],
    read_rules: Callable[[Cells], SourceRules],
) -> Iterator[LocatedRules]:
    for table in tables.tables:
        columns: Mapping[int, Column] = {}
        for row in table.rows:
            if count(row.cells):
                columns = parse(row.cells)
            elif columns:
                cells: dict[Column, str] = {}
                for place, column in columns.items():
                    cells.setdefault(Column(column.part, column.letter), row.cell(place).strip())
                yield from locate_rules(table.name, row.line, partial(read_rules, cells))


def _list_options(cells: Cells) -> dict[str, str]:
    """Return what each option says, by its letter."""
    return {
        column.letter: text
        for column, text in sorted(cells.items(), key=lambda cell: cell[0].letter)
        if column.part == "option" and text
    }


def _read_numbered(cells: Cells) -> SourceRules:
    texts = _list_options(cells)
    right = {"abcdefghi"[int(number) - 1] for number in re.findall(r"[1-9]", cells[_CORRECT])}
    options = number_options([*texts.values()], [*map(parse_boolean, texts.values())])
    return build_marked_rules(options, [letter in right for letter in texts])


_CORRECT = Column("correct")


def _read_own(cells: Cells) -> SourceRules:
    texts, correct = _list_options(cells), cells.get(_CORRECT, "")
    method = cells.get(Column("scoring_method"), "").lower()
    weights = {
        column.letter: text for column, text in cells.items() if column.part == "weight" and text
    }
    if not correct or method not in {"", "all_or_nothing", "option_weights", "right_minus_wrong"}:
        raise NotComparable("own_format")
    if parse_boolean(correct) is not None and len(texts) in {0, 2} and not weights:
        words = [*texts.values()] or ["true", "false"]
        truths = [parse_boolean(word) for word in words]
        marks = [truth is parse_boolean(correct) for truth in truths]
        return build_marked_rules(number_options(words, truths), marks)
    if not texts:
        return _read_typed(correct, _read_bound(cells))
    is_ambiguous = {correct.lower()} & {text.lower() for text in texts.values()}
    if is_ambiguous or not _LETTERS.fullmatch(correct):
        raise NotComparable("rule_unknown", correct[:200])
    right = {letter.lower() for letter in re.findall(r"[A-Za-z]", correct)}
    options = number_options([*texts.values()], [*map(parse_boolean, texts.values())])
    if not weights:
        return build_marked_rules(options, [letter in right for letter in texts])
    if method != "option_weights" or weights.keys() != texts.keys():
        raise NotComparable("own_format")
    shares, bound = [_read_share(weights[letter]) for letter in texts], _read_bound(cells)
    by_id = {option.id: share for option, share in zip(options, shares, strict=True)}

    def compute(chosen: frozenset[str]) -> Fraction:
        total = sum((by_id[identifier] for identifier in chosen), Fraction(0))
        return min(max(total, bound), _ONE)

    is_many = not _MANY.isdisjoint(cells.get(Column("kind"), "").lower().split())
    return build_choice_rules(options, shares, many=is_many, compute=compute)


def _read_share(text: str) -> Fraction:
    """Return a percentage; without its sign, only what cannot be a part of 1."""
    match = _SHARE.fullmatch(text)
    number = parse_number(match[1].replace(",", ".").replace("−", "-")) if match else None
    if match is None or number is None or not (match[3] or match[2] or abs(number) > 1):
        raise NotComparable("rule_unknown", text[:200])
    return number / int(match[2]) if match[2] else number / 100


def _read_bound(cells: Cells) -> Fraction:
    """Return the lowest score that the settings name, else 0."""
    match = _BOUND.search(cells.get(Column("settings"), ""))
    return _read_share(match[1]) if match else Fraction(0)


def _read_typed(cell: str, bound: Fraction) -> SourceRules:
    if any(sign in cell for sign in '"*±\\') or ".." in cell or "+/-" in cell:
        raise NotComparable("own_format")
    entries = [_read_entry(entry, bound) for entry in re.split(r"[;\n]", cell) if entry.strip()]
    numbers = [parse_number(entry.text) for entry in entries]
    if all(number is not None for number in numbers):
        return build_number_rules(
            [
                SourceNumber(entry.share, number, number)
                for entry, number in zip(entries, numbers, strict=True)
            ]
        )
    by_text = {entry.text: entry.share for entry in reversed(entries)}
    loose = set(map(_loosen, by_text))

    def compute(typed: str) -> Fraction:
        if typed.strip() in by_text:
            return by_text[typed.strip()]
        if _loosen(typed) in loose:  # how words are compared is our own affair
            raise UndeterminedScore
        return Fraction(0)

    slot = SourceSlot(RESPONSE, literals=list_literals(entries))
    return build_slot_rules([slot], {RESPONSE: compute}, {RESPONSE: _ONE})


def _read_entry(entry: str, bound: Fraction) -> SourceShare:
    text, sign, credit = entry.rpartition("=")
    if sign and _CREDIT.fullmatch(credit.strip()):
        return SourceShare(text.strip(), max(_read_share(credit), bound))
    return SourceShare(entry.strip(), _ONE)


def _loosen(text: str) -> str:
    apart = normalize("NFD", simplify_text(text))
    return "".join(char for char in apart if not combining(char))
