"""A question as the checks read it, by the schema of its kind. Pure."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from grading.json_types import Json
from grading.schema import (
    Field,
    FieldType,
    QuestionData,
    QuestionRow,
    QuestionSchema,
    Table,
    TextSlot,
)
from quizzes.document import QuestionDocument
from quizzes.lib.markup import MAX_CHARACTERS


@dataclass(frozen=True, slots=True)
class OptionView:
    """One of several texts to choose from; `keeps_place`: it is never shuffled."""

    id: str
    right: bool
    keeps_place: bool
    value: Json


@dataclass(frozen=True)  # no slots: what is worked out once, stays
class QuestionView:
    """A question with its fields and rows read once for all checks."""

    document: QuestionDocument

    @cached_property
    def schema(self) -> QuestionSchema:
        """The schema of its kind."""
        return self.document.schema

    @property
    def question_data(self) -> QuestionData:
        """Its fields and rows."""
        return self.document.question_data

    @property
    def text_slots(self) -> tuple[TextSlot, ...]:
        """Every text that it may have."""
        return self.document.text_slots

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Its languages, the source first."""
        return self.document.languages

    @cached_property
    def options(self) -> tuple[OptionView, ...]:
        """The options of a question that consists of them: not those of gaps."""
        for table in self.schema.tables:
            if not table.secret and _has_flag(table, "right") and not list_row_fields(table):
                return tuple(self._option(row) for row in self.question_data.tables[table.name])
        return ()

    def _option(self, row: QuestionRow) -> OptionView:
        stays = (
            self.question_data.fields.get("shuffle") is False or row.values.get("pinned") is True
        )
        return OptionView(row.id, row.values.get("right") is True, stays, row.values.get("value"))

    def text_at(self, language: str, slot: TextSlot) -> str:
        """Return a text; "" where there is none, or it is too long to be read."""
        text = self.document.text_at(language, slot)
        return text if len(text) <= MAX_CHARACTERS else ""

    def option_texts(self, language: str) -> dict[str, str]:
        """Return the words of the options by their ids."""
        ids = {option.id for option in self.options}
        return {
            slot.id: self.text_at(language, slot)
            for slot in self.text_slots
            if slot.id in ids and not slot.is_feedback and slot.required
        }

    def rows_with(self, field_name: str) -> Iterator[tuple[Table, QuestionRow]]:
        """Return the rows of every table that has this field."""
        for table in self.schema.tables:
            if any(field.name == field_name for field in table.fields):
                yield from ((table, row) for row in self.question_data.tables[table.name])

    def get_row_key(self, table: Table, row: QuestionRow) -> Hashable:
        """Return what the key says of a row: two of equal words should stand alike."""
        own = tuple(str(row.values.get(field.name)) for field in table.key_fields)
        named_by = frozenset(
            other.id
            for several in self.schema.tables
            for field in several.fields
            if field.secret and field.type == FieldType.ROW and field.choices == (table.name,)
            for other in self.question_data.tables[several.name]
            if other.values.get(field.name) == row.id
        )
        return own, named_by, row.id if table.order_key else ""

    def prompt(self, language: str = "") -> str:
        """Return the first text in a language, of its source without one: what is asked."""
        slots, language = self.text_slots, language or self.document.source_language
        return self.text_at(language, slots[0]) if slots else ""


def build_path(slot: TextSlot, language: str) -> str:
    """Name a text in a language as problems name it."""
    return f"{'feedback' if slot.is_feedback else 'words'}.{language}.{slot.path}"


def list_row_fields(table: Table) -> tuple[Field, ...]:
    """Return the fields that say to which row of another table a row belongs."""
    return tuple(
        field for field in table.fields if field.type == FieldType.ROW and not field.secret
    )


def find_owner(table: Table, row: QuestionRow) -> Mapping[str, Json]:
    """Return the rows of other tables that this one is for: a gap, say."""
    return {field.name: row.values.get(field.name) for field in list_row_fields(table)}


def _has_flag(table: Table, name: str) -> bool:
    return any(field.name == name and field.type == FieldType.FLAG for field in table.fields)
