"""What changed between two states of a question, part by part and word by word. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.translation import gettext as _

from grading.shape import Holds, Table
from quizzes.bank.admin import labels
from quizzes.bank.admin.authored import Row, stem
from quizzes.bank.admin.drafting import read
from quizzes.bank.admin.sayings import kind_name, scheme_name
from quizzes.bank.admin.values import asked
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item, shape_of

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


def between(before: Item, after: Item, names: Mapping[str, str]) -> tuple[Difference, ...]:
    """Name every part that differs; `names` are the short names of rows by id."""
    old, new = parts(before, names), parts(after, names)
    return tuple(
        Difference(part, language, words(old.get((part, language), ""), text))
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def parts(item: Item, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Lay a question out as (name of the part, language) → text; language-neutral parts have none.

    A language is named by its name, for people.
    """
    shown, shape = read(item, names), shape_of(item)
    found = {
        (_("Kind"), ""): str(kind_name(shown.kind)),
        (_("Scoring"), ""): str(scheme_name(shown.scheme)),
    }
    for one in shape.fields:
        said = labels.in_words(one, shown.values[one.name], names)
        found[str(labels.of_field(one).name), ""] = said
    for text in shape.texts:
        found |= _texts(str(labels.of_text(text).name), shown.texts[stem(text)])
    for table in shape.tables:
        found |= _of_table(table, shown.tables[table.name], names)
    return found


def _of_table(
    table: Table, rows: Sequence[Row], names: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """Lay a table out: its rows in their order, who has which tick, then row by row."""
    label = labels.of_table(table)
    called = {row.name or row.id: row for row in rows}
    found = {(str(label.name), ""): " ".join(called)}
    fields = [(str(labels.of_field(one).name), one) for one in asked(table)]
    for said, one in fields:
        if one.holds == Holds.FLAG:
            ticked = " ".join(name for name, row in called.items() if row.values[one.name])
            found[f"{label.name}: {said}", ""] = ticked
    for name, row in called.items():
        for said, one in fields:
            if one.holds != Holds.FLAG:
                value = labels.in_words(one, row.values[one.name], names)
                found[f"{label.one} {name}: {said}", ""] = value
        for text in table.texts:
            said = str(labels.of_row_text(text).name)
            found |= _texts(f"{label.one} {name}: {said}", row.texts[stem(text)])
    return found


def _texts(part: str, by_language: Mapping[str, str]) -> dict[tuple[str, str], str]:
    named = languages(*by_language)
    return {(part, named[code]): text for code, text in by_language.items()}
