"""One question out of the same question in several languages."""

from collections.abc import Sequence
from dataclasses import replace

from grading.schema import Text
from quizzes.formats.contract import FieldTexts, ParsedQuestion


def alike(one: ParsedQuestion, other: ParsedQuestion) -> bool:
    """Tell whether two are the same but for their words: their tables hold as many rows."""
    names = {*one.tables, *other.tables}
    return one.kind == other.kind and all(
        len(one.tables.get(name, ())) == len(other.tables.get(name, ())) for name in names
    )


def together(first: ParsedQuestion, *others: ParsedQuestion) -> ParsedQuestion:
    """Give the first with the words of the others, row by row; they must be `alike`."""
    tables = {
        name: tuple(
            replace(row, texts=_said([row.texts, *(one.tables[name][at].texts for one in others)]))
            for at, row in enumerate(rows)
        )
        for name, rows in first.tables.items()
    }
    said = _said([first.texts, *(one.texts for one in others)])
    return replace(first, texts=said, tables=tables)


def _said(every: Sequence[FieldTexts]) -> FieldTexts:
    found: dict[Text, dict[str, str]] = {}
    for said in every:
        for text, words in said.items():
            found.setdefault(text, {}).update(words)
    return found
