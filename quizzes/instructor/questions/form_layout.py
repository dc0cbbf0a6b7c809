"""Laying out the authoring page of a question of any kind, every note at the nearest control."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django import forms

from grading.shape import Field, Holds, Table, Text
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.draft_notes import Note
from quizzes.instructor.questions.error_placement import PAGE, housed
from quizzes.instructor.questions.field_values import asked
from quizzes.instructor.questions.form_data import stem
from quizzes.instructor.questions.form_fields import Choices
from quizzes.instructor.questions.page_context import Cell, Column, GridView, Line, Page, Twins
from quizzes.instructor.questions.question_formset import Sheet
from quizzes.instructor.questions.row_formset import RowForm


def lay_out(
    sheet: Sheet, item: QuestionDocument, names: Mapping[str, str], notes: Sequence[Note]
) -> Page:
    """Lay out a sheet; `names` are rows' short names by id, `notes` are of the saved draft."""
    notes_by_control = housed(notes, sheet.shape, set(_controls(sheet)))
    rows = sheet.offer(names, item.source_language)
    return _Drawing(sheet, item, names, rows, notes_by_control).page(tuple(notes))


def _controls(sheet: Sheet) -> Iterator[str]:
    """Name every control of the sheet, as `homes` does."""
    yield from ("form.kind", "form.scoring_method")
    yield from (f"field.{field.name}" for field in sheet.shape.fields)
    for text in sheet.shape.texts:
        yield from (f"text.{stem(text)}.{code}" for code in sheet.form.languages)
    for table in sheet.shape.tables:
        yield f"table.{table.name}"
        for form in sheet.grids[table.name].forms:
            yield f"row.{form.key}"
            yield from (f"row.{form.key}.{field.name}" for field in asked(table))
            for text in table.texts:
                yield from (f"row.{form.key}.{stem(text)}.{code}" for code in sheet.form.languages)


@dataclass(frozen=True, slots=True)
class _Drawing:
    sheet: Sheet
    item: QuestionDocument
    names: Mapping[str, str]
    rows: Mapping[str, Choices]
    notes_by_control: Mapping[str, tuple[Note, ...]]

    def page(self, notes: tuple[Note, ...]) -> Page:
        form, shape = self.sheet.form, self.sheet.shape
        grids = [self._grid(table) for table in shape.tables]
        return Page(
            form=form,
            kind=Cell(form["kind"], self._at("form.kind")),
            scoring_method=Cell(form["scoring_method"], self._at("form.scoring_method")),
            fields=tuple(self._field(form, field, f"field.{field.name}") for field in shape.fields),
            before=tuple(self._twins(text) for text in shape.texts if not text.told),
            grids=tuple(grid for grid in grids if not grid.label.aside),
            after=tuple(self._twins(text) for text in shape.texts if text.told),
            asides=tuple(grid for grid in grids if grid.label.aside),
            notes=notes,
            homeless=self._at(PAGE),
            errors=tuple(_errors(self.sheet)),
            classes=" ".join(sorted(_written(grids))),
        )

    def _at(self, control: str) -> tuple[Note, ...]:
        return self.notes_by_control.get(control, ())

    def _columns(self) -> Iterator[Column]:
        for code, name in self.sheet.form.languages.items():
            yield Column(
                code=code,
                name=name,
                source=code == self.item.source_language,
                stale=self.item.is_outdated(code) and code in self.item.words,
                fresh=self.sheet.form[f"fresh_{code}"],
            )

    def _twins(self, text: Text) -> Twins:
        cells = (
            (
                column,
                Cell(
                    self.sheet.form[f"{stem(text)}_{column.code}"],
                    self._at(f"text.{stem(text)}.{column.code}"),
                ),
            )
            for column in self._columns()
        )
        return Twins(field_labels.of_text(text), tuple(cells))

    def _field(self, form: forms.Form, field: Field, control: str) -> Cell:
        return Cell(
            form[f"field_{field.name}"],
            self._at(control),
            label=field_labels.of_field(field),
            name=field.name,
            holds=field.holds.value,
            among=field.among[0] if field.holds in {Holds.ROW, Holds.ROWS} else "",
        )

    def _grid(self, table: Table) -> GridView:
        grid = self.sheet.grids[table.name]
        blank = grid.empty_form
        blank.offer(self.rows)
        return GridView(
            table=table,
            label=field_labels.of_table(table),
            marked=field_labels.of_text(Text(table.marked)) if table.marked else None,
            grid=grid,
            lines=tuple(self._line(table, form) for form in grid.forms),
            blank=self._line(table, blank),
            notes=self._at(f"table.{table.name}"),
        )

    def _line(self, table: Table, form: RowForm) -> Line:
        stands = str(form["stands"].value() or "")
        texts = list(self._texts(table, form))
        return Line(
            form=form,
            name=self.names.get(form.key, ""),
            stands=field_labels.STANDS.get(stands, stands),
            notes=self._at(f"row.{form.key}"),
            fields=tuple(
                self._field(form, field, f"row.{form.key}.{field.name}") for field in asked(table)
            ),
            texts=tuple(cell for main, cell in texts if main),
            more=tuple(cell for main, cell in texts if not main),
        )

    def _texts(self, table: Table, form: RowForm) -> Iterator[tuple[bool, Cell]]:
        """Return the texts of a row, each with whether it is one of those that most rows have."""
        first = [
            next((text for text in table.texts if text.told == is_feedback), None)
            for is_feedback in (False, True)
        ]
        for code, language in self.sheet.form.languages.items():
            for text in table.texts:
                yield (
                    text in first,
                    Cell(
                        form[f"{stem(text)}_{code}"],
                        self._at(f"row.{form.key}.{stem(text)}.{code}"),
                        label=field_labels.of_row_text(text),
                        name=stem(text),
                        code=code,
                        language=language,
                    ),
                )


def _written(grids: Sequence[GridView]) -> Iterator[str]:
    """Name the fields that some row has a value for, where not all need one."""
    for grid in grids:
        for line in grid.lines:
            for cell in line.fields:
                unsaid = {"", cell.control.initial}
                if cell.holds == Holds.RATIO and cell.control.value() not in unsaid:
                    yield f"has-{cell.name}"


def _errors(sheet: Sheet) -> Iterator[str]:
    """Yield the errors of what cannot be kept at all."""
    for field in sheet.form:
        yield from (f"{field.label}: {error}" for error in field.errors)
    for grid in sheet.grids.values():
        yield from (str(error) for error in grid.non_form_errors())
        for form in grid.forms:
            for field in form:
                label = field.field.widget.attrs.get("aria-label", field.label)
                yield from (f"{label}: {error}" for error in field.errors)
