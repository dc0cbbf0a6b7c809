"""A draft as its learners will see it, in each language, with its key and feedback.

A draft that is too broken to be rendered as a form has its parts listed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from grading.schema import PROMPT, FieldType, Table
from quizzes.bank.selectors import prompt_gaps
from quizzes.document import QuestionDocument, find_problems
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.field_labels import LabelText
from quizzes.instructor.questions.field_values import list_editable_fields
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData, field_prefix
from quizzes.instructor.questions.form_mapping import document_to_form
from quizzes.instructor.translated_field import language_names, summarize
from quizzes.lib.markup import MAX_CHARACTERS, render, render_with_gaps
from quizzes.presentation.draft_answers import TriedAnswer, build_draft_version, try_answer
from quizzes.presentation.question_rendering import preview_question


@dataclass(frozen=True, slots=True)
class PreviewText:
    """A text in the words of the page, or a line about a row: what it is called, and its HTML."""

    label: LabelText
    html: str
    is_feedback: bool = False


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row: its short name, its texts, and what its fields hold."""

    name: str
    texts: tuple[PreviewText, ...]
    values: tuple[tuple[LabelText, str], ...]

    @property
    def visible_texts(self) -> tuple[PreviewText, ...]:
        """What a learner reads of it."""
        return tuple(text for text in self.texts if not text.is_feedback)


@dataclass(frozen=True, slots=True)
class PreviewTable:
    """The rows of a table; `is_visible`: to a learner."""

    label: LabelText
    rows: tuple[PreviewRow, ...]
    is_visible: bool


@dataclass(frozen=True, slots=True)
class LanguagePreview:
    """A question in one language: `form_html` as it is asked, "" if that fails; and its parts.

    `review_html`: what the answer that was tried earned; `error`: why it could not be graded.
    """

    code: str
    name: str
    slot: int
    prompt: str
    form_html: str
    review_html: str
    error: str
    texts: tuple[PreviewText, ...]
    tables: tuple[PreviewTable, ...]
    values: tuple[tuple[LabelText, str], ...]

    @property
    def visible_tables(self) -> tuple[PreviewTable, ...]:
        """The tables whose rows a learner reads."""
        return tuple(table for table in self.tables if table.is_visible)


def preview_document(
    document: QuestionDocument, names: Mapping[str, str], posted: QueryDict | None = None
) -> tuple[LanguagePreview, ...]:
    """Return the preview of a draft in each of its languages, whatever its problems.

    `posted`: an answer that was tried, in the language that its `try` names.
    """
    form_data = document_to_form(document, names)
    return tuple(
        _preview_language(
            document,
            form_data,
            names,
            code,
            slot,
            posted if posted is not None and posted.get("try") == code else None,
        )
        for slot, code in enumerate(document.languages)
    )


def _preview_language(  # noqa: PLR0913, PLR0917  what a preview is made of
    document: QuestionDocument,
    form_data: QuestionFormData,
    names: Mapping[str, str],
    code: str,
    slot: int,
    posted: QueryDict | None,
) -> LanguagePreview:
    tried = _try_answer(document, code, slot, posted)
    schema = document.schema
    prompt = form_data.texts.get(f"words_{PROMPT.name}", {}).get(code, "")[:MAX_CHARACTERS]
    row_labels = _label_rows(form_data, names, code)
    return LanguagePreview(
        code=code,
        name=language_names(code)[code],
        prompt=render_with_gaps(prompt, prompt_gaps(document.kind, document.content)),
        slot=slot,
        form_html=_render_form(document, code, slot, tried.answer),
        review_html=tried.review_html,
        error=tried.error,
        texts=tuple(
            PreviewText(field_labels.label_for_text(text).name, html, text.is_feedback)
            for text in schema.texts
            if text.name != PROMPT.name
            and (html := _render_text(form_data.texts[field_prefix(text)].get(code, "")))
        ),
        tables=tuple(
            PreviewTable(
                field_labels.label_for_table(table).name,
                tuple(
                    _preview_row(table, row, row_labels, code)
                    for row in form_data.tables[table.name]
                ),
                any(not text.is_feedback for text in table.texts),
            )
            for table in schema.tables
            if form_data.tables[table.name]
        ),
        values=tuple(
            (
                field_labels.label_for_field(field).name,
                field_labels.describe_value(field, form_data.values[field.name], row_labels),
            )
            for field in schema.fields
        ),
    )


def _label_rows(form_data: QuestionFormData, names: Mapping[str, str], code: str) -> dict[str, str]:
    """Return what rows are known by where others name them: short name and first words."""
    row_labels = {}
    for row in form_data.rows():
        texts = (summarize(by_language.get(code), 40) for by_language in row.texts.values())
        words = (names.get(row.id, ""), next(filter(None, texts), ""))
        row_labels[row.id] = " · ".join(filter(None, words))
    return row_labels


def _preview_row(
    table: Table, row: RowFormData, row_labels: Mapping[str, str], code: str
) -> PreviewRow:
    texts = (
        PreviewText(field_labels.label_for_row_text(text).name, html, text.is_feedback)
        for text in table.texts
        if (html := _render_text(row.texts[field_prefix(text)].get(code, "")))
    )
    values = (
        (
            field_labels.label_for_field(field).name,
            field_labels.describe_value(field, row.values[field.name], row_labels),
        )
        for field in list_editable_fields(table)
        if field.type != FieldType.FLAG or row.values[field.name]
    )
    fixed_row = field_labels.FIXED_ROWS.get(row.fixed_row, row.fixed_row)
    name = " · ".join(filter(None, (row.name, str(fixed_row))))
    return PreviewRow(name, tuple(texts), tuple((label, text) for label, text in values if text))


def _render_text(text: str) -> str:
    """Render a text; of one that is too long, its beginning."""
    return render(text[:MAX_CHARACTERS], inline="\n" not in text.strip())


def _try_answer(
    document: QuestionDocument, code: str, slot: int, posted: QueryDict | None
) -> TriedAnswer:
    """Grade the answer that was tried in this language, if one was."""
    if posted is None:
        return TriedAnswer(None, "", "")
    if find_problems(document):
        return TriedAnswer(None, "", _("The draft has problems. Correct them to try an answer."))
    return try_answer(document, code, slot, posted)


def _render_form(
    document: QuestionDocument, code: str, slot: int, answer: Mapping[str, Any] | None
) -> str:
    """Render the question as its learners get it; what cannot be rendered is listed instead."""
    try:
        public_version = build_draft_version(document, code)
        return str(preview_question(public_version, code, slot, answer=answer))
    except (KeyError, ValueError):  # what any verb may raise of a draft that is not whole
        return ""
