"""One question out of the same question in several languages."""

from collections.abc import Sequence
from dataclasses import replace

from grading.schema import Text
from quizzes.formats.contract import FieldTexts, ParsedQuestion


def has_same_structure(question: ParsedQuestion, other: ParsedQuestion) -> bool:
    """Tell whether two are the same but for their words: their tables hold as many rows."""
    names = {*question.tables, *other.tables}
    return question.kind == other.kind and all(
        len(question.tables.get(name, ())) == len(other.tables.get(name, ())) for name in names
    )


def merge_languages(first: ParsedQuestion, *others: ParsedQuestion) -> ParsedQuestion:
    """Give the first with the words of the others, row by row; they must be `alike`."""
    tables = {
        name: tuple(
            replace(
                row, texts=_said([row.texts, *(other.tables[name][at].texts for other in others)])
            )
            for at, row in enumerate(rows)
        )
        for name, rows in first.tables.items()
    }
    texts = _said([first.texts, *(other.texts for other in others)])
    return replace(first, texts=texts, tables=tables)


def _said(every: Sequence[FieldTexts]) -> FieldTexts:
    merged: dict[Text, dict[str, str]] = {}
    for field_texts in every:
        for text, words in field_texts.items():
            merged.setdefault(text, {}).update(words)
    return merged
