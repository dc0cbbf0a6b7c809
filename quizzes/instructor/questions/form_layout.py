"""The context of the editor, for a question of any kind, every note at the nearest control."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django import forms

from grading.schema import Field, FieldType, Table, Text
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.error_placement import PAGE, place_notes
from quizzes.instructor.questions.field_values import list_editable_fields
from quizzes.instructor.questions.form_data import field_prefix
from quizzes.instructor.questions.form_fields import Choices
from quizzes.instructor.questions.page_context import (
    ControlView,
    EditorPage,
    LanguageColumn,
    RowView,
    TableView,
    TranslatedText,
)
from quizzes.instructor.questions.question_formset import QuestionFormSet
from quizzes.instructor.questions.row_formset import RowForm
from quizzes.presentation.draft_notes import Note


def build_page(
    formset: QuestionFormSet,
    document: QuestionDocument,
    names: Mapping[str, str],
    notes: Sequence[Note],
) -> EditorPage:
    """Return the page of a formset; `names` are those of rows by id, `notes` the saved draft's."""
    notes_by_control = place_notes(notes, formset.schema, set(_list_controls(formset)))
    rows = formset.set_row_choices(names, document.source_language)
    return _PageBuilder(formset, document, names, rows, notes_by_control).page(tuple(notes))


def _list_controls(formset: QuestionFormSet) -> Iterator[str]:
    """Yield the name of every control, as `candidate_controls` does."""
    yield from ("form.kind", "form.scoring_method")
    yield from (f"field.{field.name}" for field in formset.schema.fields)
    for text in formset.schema.texts:
        yield from (f"text.{field_prefix(text)}.{code}" for code in formset.form.languages)
    for table in formset.schema.tables:
        yield f"table.{table.name}"
        for form in formset.row_formsets[table.name].forms:
            yield f"row.{form.row_id}"
            yield from (f"row.{form.row_id}.{field.name}" for field in list_editable_fields(table))
            for text in table.texts:
                yield from (
                    f"row.{form.row_id}.{field_prefix(text)}.{code}"
                    for code in formset.form.languages
                )


@dataclass(frozen=True, slots=True)
class _PageBuilder:
    formset: QuestionFormSet
    document: QuestionDocument
    names: Mapping[str, str]
    rows: Mapping[str, Choices]
    notes_by_control: Mapping[str, tuple[Note, ...]]

    def page(self, notes: tuple[Note, ...]) -> EditorPage:
        form, schema = self.formset.form, self.formset.schema
        tables = [self._table(table) for table in schema.tables]
        return EditorPage(
            form=form,
            kind=ControlView(form["kind"], self._at("form.kind")),
            scoring_method=ControlView(form["scoring_method"], self._at("form.scoring_method")),
            fields=tuple(
                self._field(form, field, f"field.{field.name}") for field in schema.fields
            ),
            texts_before=tuple(
                self._translated_text(text) for text in schema.texts if not text.is_feedback
            ),
            tables=tuple(table for table in tables if not table.label.optional),
            texts_after=tuple(
                self._translated_text(text) for text in schema.texts if text.is_feedback
            ),
            optional_tables=tuple(table for table in tables if table.label.optional),
            notes=notes,
            non_field_notes=self._at(PAGE),
            errors=tuple(_list_errors(self.formset)),
            css_classes=" ".join(sorted(_list_used_columns(tables))),
        )

    def _at(self, control: str) -> tuple[Note, ...]:
        return self.notes_by_control.get(control, ())

    def _columns(self) -> Iterator[LanguageColumn]:
        for code, name in self.formset.form.languages.items():
            yield LanguageColumn(
                code=code,
                name=name,
                is_source=code == self.document.source_language,
                is_outdated=self.document.is_outdated(code) and code in self.document.words,
                up_to_date=self.formset.form[f"up_to_date_{code}"],
            )

    def _translated_text(self, text: Text) -> TranslatedText:
        cells = (
            (
                column,
                ControlView(
                    self.formset.form[f"{field_prefix(text)}_{column.code}"],
                    self._at(f"text.{field_prefix(text)}.{column.code}"),
                ),
            )
            for column in self._columns()
        )
        return TranslatedText(field_labels.label_for_text(text), tuple(cells))

    def _field(self, form: forms.Form, field: Field, control: str) -> ControlView:
        return ControlView(
            form[f"field_{field.name}"],
            self._at(control),
            label=field_labels.label_for_field(field),
            name=field.name,
            type=field.type.value,
            row_table=field.choices[0] if field.type in {FieldType.ROW, FieldType.ROWS} else "",
        )

    def _table(self, table: Table) -> TableView:
        row_formset = self.formset.row_formsets[table.name]
        blank = row_formset.empty_form
        blank.set_row_choices(self.rows)
        return TableView(
            table=table,
            label=field_labels.label_for_table(table),
            marked_text=field_labels.label_for_text(Text(table.placeholder_in))
            if table.placeholder_in
            else None,
            formset=row_formset,
            rows=tuple(self._row(table, form) for form in row_formset.forms),
            blank_row=self._row(table, blank),
            notes=self._at(f"table.{table.name}"),
        )

    def _row(self, table: Table, form: RowForm) -> RowView:
        fixed_row = str(form["fixed_row"].value() or "")
        texts = list(self._texts(table, form))
        return RowView(
            form=form,
            name=self.names.get(form.row_id, ""),
            fixed_row=field_labels.FIXED_ROWS.get(fixed_row, fixed_row),
            notes=self._at(f"row.{form.row_id}"),
            fields=tuple(
                self._field(form, field, f"row.{form.row_id}.{field.name}")
                for field in list_editable_fields(table)
            ),
            texts=tuple(cell for main, cell in texts if main),
            extra_texts=tuple(cell for main, cell in texts if not main),
        )

    def _texts(self, table: Table, form: RowForm) -> Iterator[tuple[bool, ControlView]]:
        """Return the texts of a row, each with whether it is one of those that most rows have."""
        first = [
            next((text for text in table.texts if text.is_feedback == is_feedback), None)
            for is_feedback in (False, True)
        ]
        for code, language in self.formset.form.languages.items():
            for text in table.texts:
                yield (
                    text in first,
                    ControlView(
                        form[f"{field_prefix(text)}_{code}"],
                        self._at(f"row.{form.row_id}.{field_prefix(text)}.{code}"),
                        label=field_labels.label_for_row_text(text),
                        name=field_prefix(text),
                        code=code,
                        language=language,
                    ),
                )


def _list_used_columns(tables: Sequence[TableView]) -> Iterator[str]:
    """Yield a class for each optional field that some row has a value for."""
    for table in tables:
        for row in table.rows:
            for cell in row.fields:
                unsaid = {"", cell.control.initial}
                if cell.type == FieldType.RATIO and cell.control.value() not in unsaid:
                    yield f"has-{cell.name}"


def _list_errors(formset: QuestionFormSet) -> Iterator[str]:
    """Yield the errors of what cannot be kept at all."""
    for field in formset.form:
        yield from (f"{field.label}: {error}" for error in field.errors)
    for row_formset in formset.row_formsets.values():
        yield from (str(error) for error in row_formset.non_form_errors())
        for form in row_formset.forms:
            for field in form:
                label = field.field.widget.attrs.get("aria-label", field.label)
                yield from (f"{label}: {error}" for error in field.errors)
