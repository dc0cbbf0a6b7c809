"""The accepted answers and what counts in comparing, read from JSON together with what is wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grading.contract import Problem
from grading.json_types import Content, Json, ratio_from_json
from grading.numeric.readings import READING
from grading.parsing import RowReader, read_flag, require_valid
from grading.short_text.folding import ANY_TEXT, COUNTED, Folding
from grading.short_text.schema import SORT
from grading.short_text.sorts import SORTS, SWITCHES, WORDS

MAX_DENOMINATOR = 10**6
"""No credit has a greater denominator: marks stay numbers that a person can read."""
RULE_PARTS = ("otherwise", "unanswered", READING)
"""Names of the ledger's lines that no accepted answer may have."""


@dataclass(frozen=True, slots=True)
class AcceptedText:
    """One accepted answer: words, in which `*` may stand for any text, or a pattern; its worth."""

    id: str
    text: str
    credit: Fraction = field(default=Fraction(1), hash=False)  # slow to hash, and no help
    pattern: bool = False


Rows = tuple[AcceptedText, ...]


def load_rows(listed: Json) -> Rows:
    """Read accepted answers that have passed their check; else ValueError."""
    return _rows_in(json.dumps(listed))


@lru_cache(maxsize=512)
def _rows_in(stored: str) -> Rows:
    """Read a key once for all its answers: reading takes longer than comparing."""
    return require_valid(parse_rows(json.loads(stored)))


def load_folding(content: Content) -> Folding:
    """Read what counts from content that has passed its check; else ValueError."""
    return require_valid(parse_folding(content))


def parse_folding(content: Content) -> tuple[Folding, tuple[Problem, ...]]:
    """Read what can be read of the sort and of what the author changed; name what cannot."""
    problems: list[Problem] = []
    sort = _read_choice(content, SORT.name, tuple(SORTS), problems) or WORDS
    changes: dict[str, Any] = {}
    for name, choices in SWITCHES.items():
        choice = _read_choice(content, name, choices, problems)
        if choice is not None:
            changes[name] = choice if name == "spaces" else choice in {COUNTED, ANY_TEXT}
    return replace(SORTS[sort], **changes), tuple(problems)


def _read_choice(
    content: Content, name: str, choices: tuple[str, ...], problems: list[Problem]
) -> str | None:
    """Return one of the choices; None where there is none, or another."""
    choice = content.get(name)
    if isinstance(choice, str) and choice in choices:
        return choice
    if choice is not None:
        problems.append(Problem(name, "unknown_choice", {"field": name}))
    return None


def parse_rows(listed: Json) -> tuple[Rows, tuple[Problem, ...]]:
    """Read what can be read of a list of accepted answers, and name what cannot.

    Fields that are not of this family are left to whoever put them there.
    """
    if not isinstance(listed, list):
        return (), (Problem("accepted", "nothing_accepted", {}),)
    problems: list[Problem] = []
    return tuple(_rows(listed, problems)), tuple(problems)


def _rows(listed: list[Json], problems: list[Problem]) -> Iterator[AcceptedText]:
    for id_, fields in RowReader(problems, RULE_PARTS).read(listed, "accepted"):
        where, text = f"accepted.{id_}", fields.get("text")
        if not isinstance(text, str):
            problems.append(Problem(where, "text_missing", {}))
            continue
        yield AcceptedText(
            id_,
            text,
            _credit(fields.get("credit", [1, 1]), where, problems),
            read_flag(fields, "pattern", where, problems, default=False),
        )


def _credit(stored: Json, where: str, problems: list[Problem]) -> Fraction:
    try:
        credit = ratio_from_json(stored)
    except ValueError:
        problems.append(Problem(where, "credit_is_no_ratio", {}))
        return Fraction(0)
    if not -1 <= credit <= 1 or credit.denominator > MAX_DENOMINATOR:
        problems.append(Problem(where, "credit_out_of_range", {}))
        return Fraction(0)
    return credit
