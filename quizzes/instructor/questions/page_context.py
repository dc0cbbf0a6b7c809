"""What the editor shows: each control with the notes that belong to it."""

from dataclasses import dataclass, field

from django import forms

from grading.schema import Table
from quizzes.instructor.questions.field_labels import FieldLabel, LabelText, TableLabel
from quizzes.instructor.questions.forms import QuestionForm
from quizzes.instructor.questions.row_formset import RowForm, RowFormSet
from quizzes.presentation.draft_notes import Note


@dataclass(frozen=True, slots=True)
class ControlView:
    """A control, what it is called, and what is to be said about it.

    `type`: of a field; `row_table`: the table whose rows it names; `code`: a text's language.
    """

    control: forms.BoundField
    notes: tuple[Note, ...]
    label: FieldLabel = field(default_factory=lambda: FieldLabel(""))
    name: str = ""
    type: str = ""
    row_table: str = ""
    code: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class LanguageColumn:
    """A language, and whether its translation is up to date."""

    code: str
    name: str
    is_source: bool
    is_outdated: bool
    up_to_date: forms.BoundField


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text outside the tables, in every language side by side."""

    label: FieldLabel
    cells: tuple[tuple[LanguageColumn, ControlView], ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a table; `name` is empty for a new one. `extra_texts` are seldom written."""

    form: RowForm
    name: str
    fixed_row: LabelText
    notes: tuple[Note, ...]
    fields: tuple[ControlView, ...]
    texts: tuple[ControlView, ...]
    extra_texts: tuple[ControlView, ...]

    @property
    def shows_extra_texts(self) -> bool:
        """Whether anything is written there, or to be said about it."""
        return any(cell.notes or cell.control.value() for cell in self.extra_texts)


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its rows, and what an author should know about it."""

    table: Table
    label: TableLabel
    marked_text: FieldLabel | None
    formset: RowFormSet
    rows: tuple[RowView, ...]
    blank_row: RowView
    notes: tuple[Note, ...]

    @property
    def extra_texts_label(self) -> FieldLabel | None:
        """What else may be said of each row, where there is more than most rows have."""
        return self.blank_row.extra_texts[0].label if self.blank_row.extra_texts else None

    @property
    def shows_extra_texts(self) -> bool:
        """Whether some row says it, or has a note about it."""
        return any(row.shows_extra_texts for row in self.rows)

    @property
    def is_open(self) -> bool:
        """Whether it is shown at once: not where it is seldom used, and empty."""
        written = any(row.name or row.form["order"].value() for row in self.rows)
        return not self.label.optional or written or bool(self.notes)


@dataclass(frozen=True, slots=True)
class EditorPage:
    """The editor: texts before the tables, texts after them, tables seldom used."""

    form: QuestionForm
    kind: ControlView
    scoring_method: ControlView
    fields: tuple[ControlView, ...]
    texts_before: tuple[TranslatedText, ...]
    tables: tuple[TableView, ...]
    texts_after: tuple[TranslatedText, ...]
    optional_tables: tuple[TableView, ...]
    notes: tuple[Note, ...]
    non_field_notes: tuple[Note, ...]
    errors: tuple[str, ...]
    css_classes: str

    @property
    def blocking_count(self) -> int:
        """The number of problems that keep the draft from being published."""
        return sum(note.blocks for note in self.notes)
