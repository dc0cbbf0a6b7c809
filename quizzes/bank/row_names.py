"""Short names of the rows of questions: what a new row is called, whoever adds it."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, count
from typing import Final

from django.utils.text import slugify

from grading.schema import PLACEHOLDER, QuestionRow, Table
from quizzes.document import QuestionDocument

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
LONGEST_ROW_NAME: Final = 60


def generate_names(table: Table, place: int) -> Iterator[str]:
    """Return the names for the rows of the table at this place (from 0), without end.

    Those of the first table are letters, then numbers; those of the others numbers.
    """
    numbered = (f"{table.name[:1] if place else 'o'}{n}" for n in count(1))
    return numbered if place else chain(LETTERS, numbered)


def choose_name(preferred: str, used: AbstractSet[str], free: Iterator[str]) -> str:
    """Return the preferred name if no row has it, else the next that is free."""
    if preferred and preferred not in used:
        return preferred
    return next(name for name in free if name not in used)


def name_new_rows(
    document: QuestionDocument, names: Mapping[str, str], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Return the names of the rows that have none yet, by id.

    `names` are those of all rows that the question ever had; `chosen` are what an author calls new
    rows, each of which is free. Otherwise a row is called as the fixed row that it is, or by what
    stands for it in a text.
    """
    used, new = {*names.values(), *chosen.values()}, dict[str, str]()
    for place, table in enumerate(document.schema.tables):
        free = generate_names(table, place)
        for row in document.question_data.tables[table.name]:
            if row.id in names or row.id in new:
                continue
            new[row.id] = chosen.get(row.id) or choose_name(_describe_row(table, row), used, free)
            used.add(new[row.id])
    return new


def _describe_row(table: Table, row: QuestionRow) -> str:
    for name, values in table.fixed_rows.items():
        if all(row.values.get(field) == value for field, value in values.items()):
            return name
    return name_by_placeholder(row.values)


def name_by_placeholder(values: Mapping[str, object]) -> str:
    """Return the name of a row by what stands for it in a text; "": nothing does."""
    return slugify(str(values.get(PLACEHOLDER.name) or ""))[:LONGEST_ROW_NAME]
