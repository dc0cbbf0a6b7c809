"""What the authoring page shows: each control with the notes that belong to it."""

from dataclasses import dataclass, field

from django import forms

from grading.shape import Table
from quizzes.instructor.questions.draft_notes import Note
from quizzes.instructor.questions.field_labels import FieldLabel, LabelText, TableLabel
from quizzes.instructor.questions.forms import QuestionForm
from quizzes.instructor.questions.row_formset import RowForm, RowFormSet


@dataclass(frozen=True, slots=True)
class ControlView:
    """A control, what it is called, and what is to be said about it.

    `holds`: what a field holds; `among`: the table whose rows it names; `code`: a text's language.
    """

    control: forms.BoundField
    notes: tuple[Note, ...]
    label: FieldLabel = field(default_factory=lambda: FieldLabel(""))
    name: str = ""
    holds: str = ""
    among: str = ""
    code: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class LanguageColumn:
    """A language, and how its translation stands."""

    code: str
    name: str
    source: bool
    stale: bool
    fresh: forms.BoundField


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A text outside the tables, in every language side by side."""

    label: FieldLabel
    cells: tuple[tuple[LanguageColumn, ControlView], ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a grid; `name` is empty for one that is about to be. `more` is seldom written."""

    form: RowForm
    name: str
    stands: LabelText
    notes: tuple[Note, ...]
    fields: tuple[ControlView, ...]
    texts: tuple[ControlView, ...]
    more: tuple[ControlView, ...]

    @property
    def more_open(self) -> bool:
        """Whether anything is written there, or to be said about it."""
        return any(cell.notes or cell.control.value() for cell in self.more)


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its lines, and what an author should know about it."""

    table: Table
    label: TableLabel
    marked: FieldLabel | None
    grid: RowFormSet
    lines: tuple[RowView, ...]
    blank: RowView
    notes: tuple[Note, ...]

    @property
    def more(self) -> FieldLabel | None:
        """What else may be said of each row, where there is more than most rows have."""
        return self.blank.more[0].label if self.blank.more else None

    @property
    def more_open(self) -> bool:
        """Whether some row says it, or has a note about it."""
        return any(line.more_open for line in self.lines)

    @property
    def open(self) -> bool:
        """Whether it is shown at once: not where it is seldom used, and empty."""
        written = any(line.name or line.form["order"].value() for line in self.lines)
        return not self.label.aside or written or bool(self.notes)


@dataclass(frozen=True, slots=True)
class EditorPage:
    """The authoring page: texts before the grids, texts after them, grids seldom used."""

    form: QuestionForm
    kind: ControlView
    scoring_method: ControlView
    fields: tuple[ControlView, ...]
    before: tuple[TranslatedText, ...]
    grids: tuple[TableView, ...]
    after: tuple[TranslatedText, ...]
    asides: tuple[TableView, ...]
    notes: tuple[Note, ...]
    homeless: tuple[Note, ...]
    errors: tuple[str, ...]
    classes: str

    @property
    def blocking(self) -> int:
        """How many things keep the draft from being published."""
        return sum(note.blocks for note in self.notes)
