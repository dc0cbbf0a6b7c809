"""What a collection holds, whichever of its two schemas it has: notes, their types and decks.

An older one has types and decks as JSON in one row, a newer one has a table for each.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from quizzes.formats.apkg.database import Database, UnreadablePackage
from quizzes.formats.apkg.protobuf import read_field
from quizzes.formats.parsing.decoding import clean_text
from quizzes.formats.parsing.reading_limits import check_item_count

MOST_OF_TEMPLATES = 4_000_000
"""Characters of the templates of all types together."""
QUERIES: Mapping[str, str] = {
    "notes": "SELECT id, guid, mid, tags, flds FROM notes NOT INDEXED",
    "cards": "SELECT nid, did, ord, reps FROM cards NOT INDEXED",
    "col": "SELECT models, decks FROM col NOT INDEXED",
    "decks": "SELECT id, name FROM decks NOT INDEXED",
    "notetypes": "SELECT id, name, config FROM notetypes NOT INDEXED",
    "fields": "SELECT ntid, ord, name FROM fields NOT INDEXED",
    "templates": "SELECT ntid, ord, config FROM templates NOT INDEXED",
}
"""The query of each table; the last four are those of newer schemas."""
_SEPARATOR = "\x1f"
_OCCLUSION = 6
"""The stock type of notes on a picture with parts covered, by its number there."""

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class NoteType:
    """A type of notes: its fields, and (front, back) of each card that is made of them."""

    name: str = ""
    fields: tuple[str, ...] = ()
    templates: tuple[tuple[str, str], ...] = ()
    cloze: bool = False
    occlusion: bool = False


@dataclass(frozen=True, slots=True)
class AnkiCard:
    """A card of a note: the template that makes it, and its deck."""

    template: int
    deck: int


@dataclass(frozen=True, slots=True)
class AnkiNote:
    """A note: its values in the order of its type's fields, tags as one text."""

    id: int
    guid: str
    type: int
    tags: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """All of it; `is_learned`: it remembers how somebody learns."""

    notes: tuple[AnkiNote, ...]
    types: Mapping[int, NoteType]
    decks: Mapping[int, str]
    cards: Mapping[int, list[AnkiCard]]
    is_learned: bool


def read_collection(database: Database) -> Collection:
    """Read a collection; one that cannot be read: UnreadablePackage."""
    if "notes" not in database.tables:
        message = "the collection in the package holds no notes"
        raise UnreadablePackage("collection_damaged", message)
    try:
        is_new = "notetypes" in database.tables
        types, decks = _read_new_types(database) if is_new else _read_old_types(database)
        templates = (side for type_ in types.values() for pair in type_.templates for side in pair)
        if sum(map(len, templates)) > MOST_OF_TEMPLATES:
            message = "the templates of the collection are longer than is read here"
            raise UnreadablePackage("too_big", message)
        notes = tuple(_read_notes(database))
        cards: dict[int, list[AnkiCard]] = {}
        is_learned = False
        for note, deck, template, repetitions in database.rows("cards"):
            cards.setdefault(_int(note), []).append(AnkiCard(_int(template), _int(deck)))
            is_learned = is_learned or bool(repetitions)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        message = "the collection in the package is not as such collections are"
        raise UnreadablePackage("collection_damaged", message) from None
    return Collection(notes, types, decks, cards, is_learned)


def _read_notes(database: Database) -> Iterator[AnkiNote]:
    for count, (id_, guid, type_, tags, values) in enumerate(database.rows("notes")):
        check_item_count(count + 1)
        fields = tuple(map(clean_text, _str(values).split(_SEPARATOR)))
        yield AnkiNote(_int(id_), _str(guid), _int(type_), _str(tags), fields)


def _read_old_types(database: Database) -> tuple[dict[int, NoteType], dict[int, str]]:
    models, decks = (json.loads(_str(cell)) for cell in next(database.rows("col"), ("{}", "{}")))
    types = {
        int(id_): NoteType(
            _text(model["name"]),
            tuple(_text(field["name"]) for field in _list(model["flds"])),
            tuple((_text(card["qfmt"]), _text(card["afmt"])) for card in _list(model["tmpls"])),
            cloze=model.get("type") == 1,
            occlusion=model.get("originalStockKind") == _OCCLUSION,
        )
        for id_, model in models.items()
    }
    return types, {int(id_): _text(deck["name"]) for id_, deck in decks.items()}


def _read_new_types(database: Database) -> tuple[dict[int, NoteType], dict[int, str]]:
    fields = _group((type_, place, _text(name)) for type_, place, name in database.rows("fields"))
    templates = _group(
        (type_, place, (_text_field(config, 1), _text_field(config, 2)))
        for type_, place, config in database.rows("templates")
    )
    types = {
        _int(id_): NoteType(
            _text(name),
            tuple(fields.get(_int(id_), ())),
            tuple(templates.get(_int(id_), ())),
            cloze=read_field(_bytes(config), 1, 0) == 1,
            occlusion=read_field(_bytes(config), 9, 0) == _OCCLUSION,
        )
        for id_, name, config in database.rows("notetypes")
    }
    decks = database.rows("decks")
    return types, {_int(id_): _text(_str(name).replace(_SEPARATOR, "::")) for id_, name in decks}


def _group(rows: Iterable[tuple[object, object, _Row]]) -> dict[int, list[_Row]]:
    """Return the rows of each type, in the order that they number."""
    groups: dict[int, list[_Row]] = {}
    numbered = [(_int(type_), _int(place), row) for type_, place, row in rows]
    for type_, _, row in sorted(numbered, key=lambda row: row[:2]):
        groups.setdefault(type_, []).append(row)
    return groups


def _int(cell: object) -> int:
    if not isinstance(cell, int):
        raise TypeError
    return cell


def _bytes(cell: object) -> bytes:
    if not isinstance(cell, bytes):
        raise TypeError
    return cell


def _list(content: list[dict[str, object]]) -> list[dict[str, object]]:
    if not isinstance(content, list):
        raise TypeError
    return content


def _str(cell: object) -> str:
    """Return a text, a number as its digits; nothing and bytes: TypeError."""
    if cell is None or isinstance(cell, bytes):
        raise TypeError
    return str(cell)


def _text(cell: object) -> str:
    """Return a text without what no text of ours can hold."""
    return clean_text(_str(cell))


def _text_field(message: object, number: int) -> str:
    return clean_text(read_field(_bytes(message), number, b"").decode())
