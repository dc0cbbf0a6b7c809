"""Tables whose rows are the options of a question, written as lists, line by line. Pure."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from quizzes.formats.parsing.key_lines import is_key_line
from quizzes.formats.parsing.verdicts import SIGN

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
_SPLIT = re.compile(r"(?<!\\)\|")
_YES = re.compile(
    r"(?:[✅✔✓☑]\ufe0f?|x|yes|s[ií]|true|verdadero|correct[ao]?|right)", re.IGNORECASE
)
_NO = re.compile(rf"(?:(?:{SIGN})|-|–|no|false|falso|incorrect[ao]?|wrong)?", re.IGNORECASE)
_SIGN = re.compile(rf"{SIGN}")
_JUDGES = re.compile(r".{0,20}(?:correct|right|answer|true|respuesta|verdader)", re.IGNORECASE)
_COUNTS = re.compile(r"q|#|no\.?|nr\.?|n[º°]|questions?|preguntas?|items?|frage", re.IGNORECASE)
"""How the first column of a table of keys is headed."""
_OPTION = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+)?(?:\[[ xX]\]|\([ xX]\)|(?:\*\*)?\(?[aA][.)])[ \t]+\S"
)
_LETTERED_CELL = re.compile(r"(?:\*\*)?\(?(?P<letter>[A-Ja-j])[.)](?:\*\*)?[ \t]+(?P<text>\S.*)")
_HEAD = re.compile(r"#{1,6}[ \t]|\*\*|\d{1,4}[.)][ \t]")
_LATER = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?(?:\*\*)?\(?[B-Fb-f][.)][ \t]+\S")
_NEAR = 12
_FAR = 20
_FEWEST = 2
_MOST_COLUMNS = 4


def spell_tables(lines: Sequence[str]) -> tuple[list[str], frozenset[int]]:
    """Return lines with such tables as lists, and the places of the heads that were left out."""
    spelled, heads = list(lines), set[int]()
    for start, end in _find_tables(lines):
        has_rule = _RULE.match(lines[start + 1]) is not None
        places = [start, *range(start + (2 if has_rule else 1), end)]
        rows = [_split_cells(lines[place]) for place in places]
        is_beside = _has_options_below(lines, end) or _has_options_above(lines, start)
        options = None if is_beside else _read_options(rows)
        if options is None and not is_beside and (line := _join_lettered_cells(rows)):
            spelled[start:end] = [line, *[""] * (end - start - 1)]
        if options is None:
            continue
        has_head = len(options) < len(rows)
        if has_head and any(rows[0]):
            heads.add(start)
        spelled[start : places[1]] = [""] * (places[1] - start)
        for place, option in zip(places[1:] if has_head else places, options, strict=True):
            spelled[place] = option
    return spelled, frozenset(heads)


def _find_tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where a table begins and ends: its first row, and the line after the last.

    Below its first row there is a rule, or none where a table lists letters.
    """
    end = 0
    for place in range(1, len(lines)):
        if place < end or "|" not in lines[place - 1]:
            continue
        if not (_RULE.match(lines[place]) or _has_first_letters(lines[place - 1 : place + 1])):
            continue
        end = place + 1
        while end < len(lines) and "|" in lines[end]:
            end += 1
        if end - place >= (_FEWEST if _RULE.match(lines[place]) else 1):
            yield place - 1, end


def _has_first_letters(lines: Sequence[str]) -> bool:
    """Return whether two rows without a rule between them are called A and B."""
    rows = [_split_cells(line) if line.lstrip().startswith("|") else [""] for line in lines]
    return [row[0].strip("*_`(). ").lower() for row in rows if row] == ["a", "b"]


def _split_cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in _SPLIT.split(line.strip())]
    return cells[1 if cells[0] == "" else 0 : -1 if cells[-1] == "" else None]


def _has_options_below(lines: Sequence[str], end: int) -> bool:
    """Return whether options follow a table, which then belongs to the stem."""
    for line in lines[end : end + _NEAR]:
        if _HEAD.match(line):
            return False
        if _OPTION.match(line):
            return True
    return False


def _has_options_above(lines: Sequence[str], start: int) -> bool:
    """Return whether a table follows options, and so tells of them."""
    for line in reversed(lines[max(start - _FAR, 0) : start]):
        if _HEAD.match(line) and not is_key_line(line):
            return False
        if _OPTION.match(line) or _LATER.match(line):
            return True
    return False


def _read_options(rows: Sequence[list[str]]) -> list[str] | None:
    """Return the rows of a table as options; None where it is any other table."""
    if not all(_FEWEST <= len(row) <= _MOST_COLUMNS for row in rows):
        return None
    names = [row[0].strip("*_`(). ").lower() for row in rows]
    skipped = 0 if names[0] == "a" else 1
    body, names = rows[skipped:], names[skipped:]
    if len(body) < _FEWEST:
        return None
    if names == list(ascii_lowercase[: len(names)]):
        return [f"{row[0].strip('().')}. {_join(row[1:])}" for row in body]
    if not all(len(row) == _FEWEST for row in rows):
        return None
    if all(_SIGN.fullmatch(row[0]) for row in body):
        body, rows = [row[::-1] for row in body], [["", "correct"]]
    judges = _JUDGES.match(rows[0][1]) is not None and all(row[0] for row in body)
    judges = judges and not _COUNTS.fullmatch(rows[0][0].strip("*_`: "))
    if judges and all(_YES.fullmatch(row[1]) or _NO.fullmatch(row[1]) for row in body):
        return [f"- {_join(row)}" for row in body]
    return None


def _join_lettered_cells(rows: Sequence[list[str]]) -> str:
    """Return the cells of a table as options in one line; "" unless their letters count from A.

    These begin the cells, or are the row above them.
    """
    cells = [cell for row in rows for cell in row if cell]
    if len(rows) == _FEWEST and _are_letters([name.strip("*_`(). ") for name in rows[0]]):
        columns = zip(rows[0], rows[1], strict=False)
        cells = [f"{name.strip('*_`(). ')}) {text}" for name, text in columns]
    matches = [_LETTERED_CELL.fullmatch(cell) for cell in cells]
    pairs = sorted((match["letter"], match["text"]) for match in matches if match)
    if len(pairs) != len(cells) or not _are_letters([letter for letter, _ in pairs]):
        return ""
    return "   ".join(f"{letter}) {text}" for letter, text in pairs)


def _are_letters(names: Sequence[str]) -> bool:
    """Return whether several names are letters that count from A."""
    return len(names) > 1 and [*map(str.lower, names)] == list(ascii_lowercase[: len(names)])


def _join(cells: Sequence[str]) -> str:
    """Return the words of a row, with a tick or cross for a cell that says yes or no."""
    text, *others = cells
    marks = (
        "✅" if _YES.fullmatch(cell) else "❌" if _NO.fullmatch(cell) else cell for cell in others
    )
    return " ".join([text, *marks])
