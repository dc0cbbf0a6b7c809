"""One question out of the same question in several languages."""

from collections.abc import Iterable
from dataclasses import replace

from grading.schema import Text
from quizzes.formats.contract import FieldTexts, ParsedQuestion


def has_same_structure(question: ParsedQuestion, other: ParsedQuestion) -> bool:
    """Return whether two are of one kind, with as many rows in each table."""
    sizes, other_sizes = (
        {name: len(rows) for name, rows in parsed.tables.items() if rows}
        for parsed in (question, other)
    )
    return question.kind == other.kind and sizes == other_sizes


def merge_languages(first: ParsedQuestion, *others: ParsedQuestion) -> ParsedQuestion:
    """Return the first with the texts of the others, row by row; all have the same structure."""
    tables = {
        name: tuple(
            replace(rows[0], texts=_merge_texts(row.texts for row in rows))
            for rows in zip(*(question.tables[name] for question in (first, *others)), strict=True)
        )
        for name in first.tables
    }
    texts = _merge_texts(question.texts for question in (first, *others))
    return replace(first, texts=texts, tables=tables)


def _merge_texts(languages: Iterable[FieldTexts]) -> FieldTexts:
    merged: dict[Text, dict[str, str]] = {}
    for field_texts in languages:
        for text, words in field_texts.items():
            merged.setdefault(text, {}).update(words)
    return merged
