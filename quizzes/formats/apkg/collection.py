"""What a collection holds, whichever of its two schemas it has: notes, their types and decks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quizzes.formats.apkg.database import Database, broken
from quizzes.formats.apkg.schemas import NoteType, newer, number, older, text
from quizzes.formats.parsing.decoding import clean_text

MOST_NOTES = 50_000
MOST_OF_TEMPLATES = 4_000_000
"""Characters of the templates of all types together."""
ASKED: Mapping[str, str] = {
    "notes": "SELECT id, guid, mid, tags, flds FROM notes NOT INDEXED",
    "cards": "SELECT nid, did, ord, reps FROM cards NOT INDEXED",
    "col": "SELECT models, decks FROM col NOT INDEXED",
    "decks": "SELECT id, name FROM decks NOT INDEXED",
    "notetypes": "SELECT id, name, config FROM notetypes NOT INDEXED",
    "fields": "SELECT ntid, ord, name FROM fields NOT INDEXED",
    "templates": "SELECT ntid, ord, config FROM templates NOT INDEXED",
}
"""What is asked of each table; the last four are those of newer schemas."""
_BETWEEN = "\x1f"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a note: by which template it is made, in which deck it lies."""

    template: int
    deck: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its values in the order of its type's fields, tags as one text."""

    id: int
    guid: str
    type: int
    tags: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """All of it; `learnt` tells whether it remembers how somebody learns."""

    notes: tuple[Note, ...]
    types: Mapping[int, NoteType]
    decks: Mapping[int, str]
    cards: Mapping[int, list[Card]]
    learnt: bool


def collection(database: Database) -> Collection:
    """Read a collection; one that cannot be: Broken."""
    if "notes" not in database.tables:
        raise broken("collection_damaged", "the collection in the package holds no notes")
    try:
        types, decks = newer(database) if "notetypes" in database.tables else older(database)
        _weigh(types)
        notes = tuple(_notes(database))
        cards, learnt = _cards(database)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        words = "the collection in the package is not as such collections are"
        raise broken("collection_damaged", words) from None
    return Collection(notes, types, decks, cards, learnt)


def _weigh(types: Mapping[int, NoteType]) -> None:
    sides = (side for one in types.values() for pair in one.templates for side in pair)
    if sum(map(len, sides)) > MOST_OF_TEMPLATES:
        raise broken("too_big", "the templates of the collection are longer than is read here")


def _notes(database: Database) -> Iterator[Note]:
    for count, (id_, guid, type_, tags, values) in enumerate(database.rows("notes")):
        if count >= MOST_NOTES:
            raise broken("too_big", f"the collection holds over {MOST_NOTES} notes")
        parts = tuple(map(clean_text, text(values).split(_BETWEEN)))
        yield Note(number(id_), text(guid), number(type_), text(tags), parts)


def _cards(database: Database) -> tuple[dict[int, list[Card]], bool]:
    cards: dict[int, list[Card]] = {}
    learnt = False
    for note, deck, template, times in database.rows("cards"):
        cards.setdefault(number(note), []).append(Card(number(template), number(deck)))
        learnt = learnt or bool(times)
    return cards, learnt
