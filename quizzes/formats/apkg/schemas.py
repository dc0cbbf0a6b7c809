"""The two schemas of collections: types and decks as JSON in one row, or a table for each."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from quizzes.formats.apkg import wire
from quizzes.formats.apkg.database import Database
from quizzes.formats.parsing.decoding import clean_text

T = TypeVar("T")
_BETWEEN = "\x1f"
_OCCLUSION = 6
"""The stock type of notes on a picture with parts covered, by its number there."""


@dataclass(frozen=True, slots=True)
class NoteType:
    """A type of notes: its fields, and (front, back) of each card that is made of them."""

    name: str = ""
    fields: tuple[str, ...] = ()
    templates: tuple[tuple[str, str], ...] = ()
    cloze: bool = False
    occlusion: bool = False


def older(database: Database) -> tuple[dict[int, NoteType], dict[int, str]]:
    """Read types and decks where they are JSON in one row."""
    models, decks = next(database.rows("col"), ("{}", "{}"))
    types = {int(id_): _of_json(one) for id_, one in json.loads(text(models)).items()}
    named = json.loads(text(decks)).items()
    return types, {int(id_): words(one["name"]) for id_, one in named}


def _of_json(said: Mapping[str, object]) -> NoteType:
    fields = (words(one["name"]) for one in _listed(said, "flds"))
    templates = ((words(one["qfmt"]), words(one["afmt"])) for one in _listed(said, "tmpls"))
    return NoteType(
        words(said["name"]),
        tuple(fields),
        tuple(templates),
        cloze=said.get("type") == 1,
        occlusion=said.get("originalStockKind") == _OCCLUSION,
    )


def _listed(said: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    found = said[name]
    if not isinstance(found, list):
        raise TypeError
    return found


def newer(database: Database) -> tuple[dict[int, NoteType], dict[int, str]]:
    """Read types and decks where each has a table."""
    fields = _by_type((type_, ord_, words(name)) for type_, ord_, name in database.rows("fields"))
    templates = _by_type(
        (
            type_,
            ord_,
            (words(wire.held(_bytes(one), 1).decode()), words(wire.held(_bytes(one), 2).decode())),
        )
        for type_, ord_, one in database.rows("templates")
    )
    types = {
        number(id_): NoteType(
            words(name),
            tuple(fields.get(number(id_), ())),
            tuple(templates.get(number(id_), ())),
            cloze=wire.number(_bytes(config), 1) == 1,
            occlusion=wire.number(_bytes(config), 9) == _OCCLUSION,
        )
        for id_, name, config in database.rows("notetypes")
    }
    decks = database.rows("decks")
    return types, {number(id_): words(text(name).replace(_BETWEEN, "::")) for id_, name in decks}


def _by_type(rows: Iterable[tuple[object, object, T]]) -> dict[int, list[T]]:
    found: dict[int, list[tuple[int, T]]] = {}
    for type_, ord_, one in rows:
        found.setdefault(number(type_), []).append((number(ord_), one))
    return {
        type_: [one for _, one in sorted(listed, key=lambda pair: pair[0])]
        for type_, listed in found.items()
    }


def number(value: object) -> int:
    """Give a whole number; anything else: TypeError."""
    if not isinstance(value, int):
        raise TypeError
    return value


def text(value: object) -> str:
    """Give a text, a number as its digits; nothing and bytes: TypeError."""
    if value is None or isinstance(value, bytes):
        raise TypeError
    return str(value)


def words(value: object) -> str:
    """Give a text without what no text of ours can hold."""
    return clean_text(text(value))


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError
    return value
