"""What changed between two states of a question, part by part and word by word. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.translation import gettext as _

from grading.schema import FieldType, Table
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.field_values import list_editable_fields
from quizzes.instructor.questions.form_data import RowFormData, field_prefix
from quizzes.instructor.questions.form_mapping import document_to_form
from quizzes.instructor.translated_field import language_names
from quizzes.presentation.messages.kinds import kind_label, scoring_method_label

SAME, GONE, NEW = "same", "gone", "new"


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """Some words that stayed, went or came."""

    text: str
    fate: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part that changed: its name, the language it is in, and its words."""

    part: str
    language: str
    pieces: tuple[DiffSegment, ...]


def diff_words(before: str, after: str) -> tuple[DiffSegment, ...]:
    """Compare two texts word by word; blanks and line ends are words too."""
    old, new = (re.findall(r"\S+|\s+", text) for text in (before, after))
    return tuple(_iter_segments(old, new))


def _iter_segments(old: list[str], new: list[str]) -> Iterator[DiffSegment]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            yield DiffSegment("".join(new[new_from:new_to]), SAME)
            continue
        for text, fate in (
            ("".join(old[old_from:old_to]), GONE),
            ("".join(new[new_from:new_to]), NEW),
        ):
            if text:
                yield DiffSegment(text, fate)


def diff_documents(
    before: QuestionDocument, after: QuestionDocument, names: Mapping[str, str]
) -> tuple[Difference, ...]:
    """Return every part that differs; `names` are the short names of rows by id."""
    old, new = list_parts(before, names), list_parts(after, names)
    return tuple(
        Difference(part, language, diff_words(old.get((part, language), ""), text))
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def list_parts(document: QuestionDocument, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return (name of the part, language) → text; language-neutral parts have no language.

    A language is named by its name, for people.
    """
    form_data, schema = document_to_form(document, names), document.schema
    texts = {
        (_("Kind"), ""): str(kind_label(form_data.kind)),
        (_("Scoring"), ""): str(scoring_method_label(form_data.scoring_method)),
    }
    for field in schema.fields:
        rendered = field_labels.describe_value(field, form_data.values[field.name], names)
        texts[str(field_labels.label_for_field(field).name), ""] = rendered
    for text in schema.texts:
        texts |= _text_parts(
            str(field_labels.label_for_text(text).name), form_data.texts[field_prefix(text)]
        )
    for table in schema.tables:
        texts |= _table_parts(table, form_data.tables[table.name], names)
    return texts


def _table_parts(
    table: Table, rows: Sequence[RowFormData], names: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """Return the parts of a table: the order of its rows, the flags, then row by row."""
    label = field_labels.label_for_table(table)
    called = {row.name or row.id: row for row in rows}
    texts = {(str(label.name), ""): " ".join(called)}
    fields = [
        (str(field_labels.label_for_field(field).name), field)
        for field in list_editable_fields(table)
    ]
    for column, field in fields:
        if field.type == FieldType.FLAG:
            ticked = " ".join(name for name, row in called.items() if row.values[field.name])
            texts[f"{label.name}: {column}", ""] = ticked
    for name, row in called.items():
        for column, field in fields:
            if field.type != FieldType.FLAG:
                value = field_labels.describe_value(field, row.values[field.name], names)
                texts[f"{label.row} {name}: {column}", ""] = value
        for text in table.texts:
            column = str(field_labels.label_for_row_text(text).name)
            texts |= _text_parts(f"{label.row} {name}: {column}", row.texts[field_prefix(text)])
    return texts


def _text_parts(part: str, by_language: Mapping[str, str]) -> dict[tuple[str, str], str]:
    named = language_names(*by_language)
    return {(part, named[code]): text for code, text in by_language.items()}
