"""The texts of a question: from the tables of words and feedback to the page, and back. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from grading.schema import Text
from quizzes.document import QuestionDocument, Words
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData, field_prefix


def collect_texts(document: QuestionDocument, text: Text, id_: str) -> dict[str, str]:
    """Return a text of the question, or of one of its rows, language → text."""
    table = document.feedback if text.is_feedback else document.words
    return {code: _get_text(words, text.name, id_) for code, words in table.items()}


def _get_text(words: Words, part: str, id_: str) -> str:
    text = words.get(part)
    if id_:
        text = text.get(id_) if isinstance(text, Mapping) else None
    return text if isinstance(text, str) else ""


def merge_texts(
    form_data: QuestionFormData,
    before: QuestionDocument,
    after: QuestionDocument,
    *,
    is_feedback: bool,
) -> dict[str, dict[str, Any]]:
    """Write the texts of every language that the page has a column for; the others stay."""
    tables: Mapping[str, Words] = before.feedback if is_feedback else before.words
    codes = dict.fromkeys((*form_data.languages, *tables))
    written = {code: dict(tables.get(code, {})) for code in codes}
    for code in form_data.languages:
        old = tables.get(code, {})
        for part in _list_parts(before, is_feedback=is_feedback) | _list_parts(
            after, is_feedback=is_feedback
        ):
            written[code].pop(part, None)
        written[code] |= _merge_language(form_data, after, code, old, is_feedback=is_feedback)
    return {code: words for code, words in written.items() if words or code in tables}


def _list_parts(document: QuestionDocument, *, is_feedback: bool) -> set[str]:
    schema = document.schema
    texts = (*schema.texts, *(text for table in schema.tables for text in table.texts))
    return {text.name for text in texts if text.is_feedback == is_feedback}


def _merge_language(
    form_data: QuestionFormData,
    after: QuestionDocument,
    code: str,
    old: Words,
    *,
    is_feedback: bool,
) -> dict[str, Any]:
    """Return what one language says; an empty text stays one only where there was one before."""
    schema = after.schema
    words: dict[str, Any] = {}
    for text in schema.texts:
        written_text = form_data.texts.get(field_prefix(text), {}).get(code, "")
        if text.is_feedback == is_feedback and (written_text or text.name in old):
            words[text.name] = written_text
    for table in schema.tables:
        for text in table.texts:
            if text.is_feedback == is_feedback:
                rows = form_data.tables.get(table.name, ())
                _merge_rows(words, text, rows, code, old.get(text.name))
    return words


def _merge_rows(
    words: dict[str, Any], text: Text, rows: Sequence[RowFormData], code: str, old: object
) -> None:
    previous = old if isinstance(old, Mapping) else None
    row_texts = {row.id: row.texts.get(field_prefix(text), {}).get(code, "") for row in rows}
    stored = {
        id_: row_text for id_, row_text in row_texts.items() if row_text or id_ in (previous or {})
    }
    if stored or previous is not None:
        words[text.name] = words.get(text.name, {}) | stored
