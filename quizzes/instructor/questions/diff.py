"""What changed between two states of a question, part by part and word by word. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.translation import gettext as _

from grading.shape import Holds, Table
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.draft_notes import kind_name, scoring_method_label
from quizzes.instructor.questions.field_values import asked
from quizzes.instructor.questions.form_data import Row, stem
from quizzes.instructor.questions.form_mapping import read
from quizzes.instructor.translated_field import languages

SAME, GONE, NEW = "same", "gone", "new"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words that stayed, went or came."""

    text: str
    fate: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part that changed: its name, the language it is in, and its words."""

    part: str
    language: str
    pieces: tuple[Piece, ...]


def words(before: str, after: str) -> tuple[Piece, ...]:
    """Compare two texts word by word; blanks and line ends are words too."""
    old, new = (re.findall(r"\S+|\s+", text) for text in (before, after))
    return tuple(_pieces(old, new))


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("".join(new[new_from:new_to]), SAME)
            continue
        for text, fate in (
            ("".join(old[old_from:old_to]), GONE),
            ("".join(new[new_from:new_to]), NEW),
        ):
            if text:
                yield Piece(text, fate)


def between(
    before: QuestionDocument, after: QuestionDocument, names: Mapping[str, str]
) -> tuple[Difference, ...]:
    """Name every part that differs; `names` are the short names of rows by id."""
    old, new = parts(before, names), parts(after, names)
    return tuple(
        Difference(part, language, words(old.get((part, language), ""), text))
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def parts(item: QuestionDocument, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Lay a question out as (name of the part, language) → text; language-neutral parts have none.

    A language is named by its name, for people.
    """
    authored, shape = read(item, names), item.schema
    texts = {
        (_("Kind"), ""): str(kind_name(authored.kind)),
        (_("Scoring"), ""): str(scoring_method_label(authored.scoring_method)),
    }
    for field in shape.fields:
        rendered = field_labels.in_words(field, authored.values[field.name], names)
        texts[str(field_labels.of_field(field).name), ""] = rendered
    for text in shape.texts:
        texts |= _texts(str(field_labels.of_text(text).name), authored.texts[stem(text)])
    for table in shape.tables:
        texts |= _of_table(table, authored.tables[table.name], names)
    return texts


def _of_table(
    table: Table, rows: Sequence[Row], names: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """Lay a table out: its rows in their order, who has which tick, then row by row."""
    label = field_labels.of_table(table)
    called = {row.name or row.id: row for row in rows}
    texts = {(str(label.name), ""): " ".join(called)}
    fields = [(str(field_labels.of_field(field).name), field) for field in asked(table)]
    for column, field in fields:
        if field.holds == Holds.FLAG:
            ticked = " ".join(name for name, row in called.items() if row.values[field.name])
            texts[f"{label.name}: {column}", ""] = ticked
    for name, row in called.items():
        for column, field in fields:
            if field.holds != Holds.FLAG:
                value = field_labels.in_words(field, row.values[field.name], names)
                texts[f"{label.row} {name}: {column}", ""] = value
        for text in table.texts:
            column = str(field_labels.of_row_text(text).name)
            texts |= _texts(f"{label.row} {name}: {column}", row.texts[stem(text)])
    return texts


def _texts(part: str, by_language: Mapping[str, str]) -> dict[tuple[str, str], str]:
    named = languages(*by_language)
    return {(part, named[code]): text for code, text in by_language.items()}
