"""Laying out the authoring page of a question of any kind, every note at the nearest control."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django import forms

from grading.shape import Field, Holds, Table, Text
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.draft_notes import Note
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


def build_page(
    sheet: QuestionFormSet, item: QuestionDocument, names: Mapping[str, str], notes: Sequence[Note]
) -> EditorPage:
    """Lay out a sheet; `names` are rows' short names by id, `notes` are of the saved draft."""
    notes_by_control = place_notes(notes, sheet.shape, set(_list_controls(sheet)))
    rows = sheet.offer(names, item.source_language)
    return _PageBuilder(sheet, item, names, rows, notes_by_control).page(tuple(notes))


def _list_controls(sheet: QuestionFormSet) -> Iterator[str]:
    """Name every control of the sheet, as `homes` does."""
    yield from ("form.kind", "form.scoring_method")
    yield from (f"field.{field.name}" for field in sheet.shape.fields)
    for text in sheet.shape.texts:
        yield from (f"text.{field_prefix(text)}.{code}" for code in sheet.form.languages)
    for table in sheet.shape.tables:
        yield f"table.{table.name}"
        for form in sheet.grids[table.name].forms:
            yield f"row.{form.key}"
            yield from (f"row.{form.key}.{field.name}" for field in list_editable_fields(table))
            for text in table.texts:
                yield from (
                    f"row.{form.key}.{field_prefix(text)}.{code}" for code in sheet.form.languages
                )


@dataclass(frozen=True, slots=True)
class _PageBuilder:
    sheet: QuestionFormSet
    item: QuestionDocument
    names: Mapping[str, str]
    rows: Mapping[str, Choices]
    notes_by_control: Mapping[str, tuple[Note, ...]]

    def page(self, notes: tuple[Note, ...]) -> EditorPage:
        form, shape = self.sheet.form, self.sheet.shape
        grids = [self._grid(table) for table in shape.tables]
        return EditorPage(
            form=form,
            kind=ControlView(form["kind"], self._at("form.kind")),
            scoring_method=ControlView(form["scoring_method"], self._at("form.scoring_method")),
            fields=tuple(self._field(form, field, f"field.{field.name}") for field in shape.fields),
            before=tuple(self._twins(text) for text in shape.texts if not text.told),
            grids=tuple(grid for grid in grids if not grid.label.aside),
            after=tuple(self._twins(text) for text in shape.texts if text.told),
            asides=tuple(grid for grid in grids if grid.label.aside),
            notes=notes,
            homeless=self._at(PAGE),
            errors=tuple(_list_errors(self.sheet)),
            classes=" ".join(sorted(_list_used_columns(grids))),
        )

    def _at(self, control: str) -> tuple[Note, ...]:
        return self.notes_by_control.get(control, ())

    def _columns(self) -> Iterator[LanguageColumn]:
        for code, name in self.sheet.form.languages.items():
            yield LanguageColumn(
                code=code,
                name=name,
                source=code == self.item.source_language,
                stale=self.item.is_outdated(code) and code in self.item.words,
                fresh=self.sheet.form[f"fresh_{code}"],
            )

    def _twins(self, text: Text) -> TranslatedText:
        cells = (
            (
                column,
                ControlView(
                    self.sheet.form[f"{field_prefix(text)}_{column.code}"],
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
            holds=field.holds.value,
            among=field.among[0] if field.holds in {Holds.ROW, Holds.ROWS} else "",
        )

    def _grid(self, table: Table) -> TableView:
        grid = self.sheet.grids[table.name]
        blank = grid.empty_form
        blank.offer(self.rows)
        return TableView(
            table=table,
            label=field_labels.label_for_table(table),
            marked=field_labels.label_for_text(Text(table.marked)) if table.marked else None,
            grid=grid,
            lines=tuple(self._line(table, form) for form in grid.forms),
            blank=self._line(table, blank),
            notes=self._at(f"table.{table.name}"),
        )

    def _line(self, table: Table, form: RowForm) -> RowView:
        stands = str(form["stands"].value() or "")
        texts = list(self._texts(table, form))
        return RowView(
            form=form,
            name=self.names.get(form.key, ""),
            stands=field_labels.FIXED_ROWS.get(stands, stands),
            notes=self._at(f"row.{form.key}"),
            fields=tuple(
                self._field(form, field, f"row.{form.key}.{field.name}")
                for field in list_editable_fields(table)
            ),
            texts=tuple(cell for main, cell in texts if main),
            more=tuple(cell for main, cell in texts if not main),
        )

    def _texts(self, table: Table, form: RowForm) -> Iterator[tuple[bool, ControlView]]:
        """Return the texts of a row, each with whether it is one of those that most rows have."""
        first = [
            next((text for text in table.texts if text.told == is_feedback), None)
            for is_feedback in (False, True)
        ]
        for code, language in self.sheet.form.languages.items():
            for text in table.texts:
                yield (
                    text in first,
                    ControlView(
                        form[f"{field_prefix(text)}_{code}"],
                        self._at(f"row.{form.key}.{field_prefix(text)}.{code}"),
                        label=field_labels.label_for_row_text(text),
                        name=field_prefix(text),
                        code=code,
                        language=language,
                    ),
                )


def _list_used_columns(grids: Sequence[TableView]) -> Iterator[str]:
    """Name the fields that some row has a value for, where not all need one."""
    for grid in grids:
        for line in grid.lines:
            for cell in line.fields:
                unsaid = {"", cell.control.initial}
                if cell.holds == Holds.RATIO and cell.control.value() not in unsaid:
                    yield f"has-{cell.name}"


def _list_errors(sheet: QuestionFormSet) -> Iterator[str]:
    """Yield the errors of what cannot be kept at all."""
    for field in sheet.form:
        yield from (f"{field.label}: {error}" for error in field.errors)
    for grid in sheet.grids.values():
        yield from (str(error) for error in grid.non_form_errors())
        for form in grid.forms:
            for field in form:
                label = field.field.widget.attrs.get("aria-label", field.label)
                yield from (f"{label}: {error}" for error in field.errors)
