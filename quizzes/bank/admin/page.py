"""What the authoring page shows: each control with the notes that belong to it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from quizzes.bank.admin.forms import OptionForm, QuestionForm
from quizzes.bank.admin.sayings import Note
from quizzes.bank.item import Item


@dataclass(frozen=True, slots=True)
class Cell:
    """A control and what is to be said about it."""

    field: forms.BoundField
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A language: what it says outside the grid."""

    code: str
    name: str
    source: bool
    stale: bool
    prompt: Cell
    explanation: Cell
    fresh: forms.BoundField


@dataclass(frozen=True, slots=True)
class Pair:
    """What an option says in one language."""

    code: str
    name: str
    text: Cell
    feedback: Cell


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the grid; `name` is empty for an option to be."""

    form: OptionForm
    name: str
    stands_for: bool | None
    notes: tuple[Note, ...]
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The authoring page."""

    form: QuestionForm
    options: Any
    kind: Cell
    scheme: Cell
    none_apply: Cell
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    blank: Line
    grid_notes: tuple[Note, ...]
    notes: tuple[Note, ...]

    @property
    def has_weights(self) -> bool:
        """Whether any option has a weight written beside it."""
        return any(line.form["weight"].value() for line in self.lines)

    @property
    def blocking(self) -> int:
        """How many things keep the draft from being published."""
        return sum(note.blocks for note in self.notes)


def lay_out(
    form: QuestionForm,
    options: Any,
    item: Item,
    names: Mapping[str, str],
    notes: Sequence[Note],
) -> Page:
    """Put every note at the control that it is about."""
    found = _Notes(notes)
    return Page(
        form=form,
        options=options,
        kind=Cell(form["kind"], found.at("kind")),
        scheme=Cell(form["scheme"], found.at("scheme")),
        none_apply=Cell(form["none_apply"], found.at("none_apply")),
        columns=tuple(_column(form, item, found, code) for code in form.languages),
        lines=tuple(_line(row, item, names, found) for row in options.forms),
        blank=_line(options.empty_form, item, {}, found),
        grid_notes=(*found.at("options"), *found.at("key")),
        notes=tuple(notes),
    )


class _Notes:
    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = notes

    def at(self, where: str) -> tuple[Note, ...]:
        return tuple(note for note in self._notes if note.where == where)


def _column(form: QuestionForm, item: Item, found: _Notes, code: str) -> Column:
    of_prompt = (*found.at(f"words.{code}.prompt"), *found.at(f"words.{code}"))
    return Column(
        code=code,
        name=form.languages[code],
        source=code == item.source_language,
        stale=item.is_stale(code) and code in item.words,
        prompt=Cell(form[f"prompt_{code}"], of_prompt),
        explanation=Cell(form[f"explanation_{code}"], found.at(f"feedback.{code}.explanation")),
        fresh=form[f"fresh_{code}"],
    )


def _line(row: OptionForm, item: Item, names: Mapping[str, str], found: _Notes) -> Line:
    id_ = str(row["id"].value() or "")
    listed = item.content.get("options")
    values = {
        one.get("id"): one.get("value")
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    }
    value = values.get(id_) if item.kind == "true_false" else None
    return Line(
        form=row,
        name=names.get(id_, ""),
        stands_for=value if isinstance(value, bool) else None,
        notes=found.at(f"options.{id_}"),
        pairs=tuple(_pairs(row, found, id_)),
    )


def _pairs(row: OptionForm, found: _Notes, id_: str) -> Iterator[Pair]:
    for code, name in row.languages.items():
        yield Pair(
            code,
            name,
            Cell(row[f"text_{code}"], found.at(f"words.{code}.options.{id_}")),
            Cell(row[f"feedback_{code}"], found.at(f"feedback.{code}.options.{id_}")),
        )
