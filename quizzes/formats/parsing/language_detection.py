"""The language of each question of a file, where the file mixes two and does not say so. Pure.

A format takes one language for a whole file. A question that clearly speaks another one is given
that; where neither the file nor a question tells, a note says so.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from quizzes.formats.contract import (
    FieldTexts,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    SourceItem,
)
from quizzes.formats.parsing.languages import detect_certain_language, detect_language

BOOLEAN_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"Verdadero": "True", "Falso": "False"},
    "es": {"True": "Verdadero", "False": "Falso"},
}
"""What formats write for true and false where a file does not."""


def assign_languages(parsed_file: ParsedFile) -> ParsedFile:
    """Give each question the language that it clearly speaks; for files that name none."""
    found = tuple(_item(one) for one in parsed_file.items)
    told = any(note.code == "language_unknown" for note in parsed_file.ignored_lines)
    several = len({language for one in parsed_file.questions for language in one.languages}) > 1
    texts = "\n".join(map(_text, parsed_file.questions))
    if told or several or not texts or detect_language(texts) or found != parsed_file.items:
        return replace(parsed_file, items=found)
    noise = (*parsed_file.ignored_lines, Note("language_unknown", 1))
    return replace(parsed_file, items=found, ignored_lines=noise)


def _item(one: SourceItem) -> SourceItem:
    question = one.question
    if question is None or len(said_in := question.languages) != 1:
        return one
    (language,) = said_in
    other = detect_certain_language(_text(question))
    if other in {"", language} or any(note.code == "language_doubtful" for note in one.notes):
        return one
    note = Note("language_of_item", one.line, "", {"language": other})
    return replace(one, question=_moved(question, language, other), notes=(*one.notes, note))


def _text(question: ParsedQuestion) -> str:
    return "\n".join(text for texts in question.all_texts for text in texts.values())


def _moved(question: ParsedQuestion, language: str, other: str) -> ParsedQuestion:
    tables = {
        name: tuple(_row(row, question.kind, language, other) for row in rows)
        for name, rows in question.tables.items()
    }
    return replace(question, texts=_said(question.texts, language, other), tables=tables)


def _row(row: ParsedRow, kind: str, language: str, other: str) -> ParsedRow:
    moved = _said(row.texts, language, other)
    if kind == "true_false":
        words = BOOLEAN_WORDS.get(other, {})
        moved = {
            text: {code: words.get(said, said) for code, said in texts.items()}
            for text, texts in moved.items()
        }
    return replace(row, texts=moved)


def _said(said: FieldTexts, language: str, other: str) -> FieldTexts:
    return {
        text: {other if code == language else code: one for code, one in texts.items()}
        for text, texts in said.items()
    }
