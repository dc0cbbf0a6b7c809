"""From a package to its items: every note of its collection is one, in the collection's order."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import zip_longest

from quizzes.formats.anki import words
from quizzes.formats.apkg import database
from quizzes.formats.apkg.cards import Reading
from quizzes.formats.apkg.collection import ASKED, Card, Collection, Note, collection
from quizzes.formats.apkg.database import Broken, broken
from quizzes.formats.apkg.guids import language_of
from quizzes.formats.apkg.package import NEWEST, TOO_NEW, Box, box
from quizzes.formats.apkg.schemas import NoteType
from quizzes.formats.contract import LONGEST_QUOTE, FileMetadata, ParsedFile, SourceItem
from quizzes.formats.contract import Note as Said
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.naming import slug
from quizzes.formats.parsing.source_items import Origin

_STAND_IN = "Please update to the latest Anki version"
_PARTS = "::"
_ENOUGH = 50_000


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a package; what keeps it from being read is the parcel's trouble."""
    try:
        held = box(data)
        found = _collection(held)
    except Broken as error:
        return ParsedFile(errors=(error.trouble,))
    return _parcel(held, found, language)


def lines(data: bytes, member: str) -> Sequence[str]:
    """Give a line a note, each field by its name; none of what is no collection."""
    try:
        held = box(data)
        found = _collection(held)
    except Broken:
        return []
    return [_line(note, found) for note in found.notes] if member == held.member else []


def _line(note: Note, all_: Collection) -> str:
    names = all_.types.get(note.type, NoteType()).fields
    values = zip_longest(names, note.values, fillvalue="")
    return " | ".join(" ".join(f"{name}: {value}".split()) for name, value in values if value)


def _collection(held: Box) -> Collection:
    try:
        with closing(database.opened(held.collection, ASKED)) as opened:
            found = collection(opened)
    except Broken as error:
        if held.member == NEWEST and error.trouble.code == "collection_damaged":
            raise broken("export_too_new", TOO_NEW) from None
        raise
    # An export for newer versions alone holds this one note for older ones to show.
    if len(found.notes) == 1 and found.notes[0].values[0].startswith(_STAND_IN):
        raise broken("export_too_new", TOO_NEW)
    return found


def _parcel(held: Box, all_: Collection, language: str) -> ParsedFile:
    spoken = language or _language(all_.notes)
    reading = Reading(held.member, spoken or "en", held.file)
    title, decks = _decks(all_)
    found = tuple(_found(all_, reading, decks))
    noise = [] if spoken else [Said("language_unknown", 1)]
    if all_.learnt:
        noise.append(Said("learning_left_out", 1))
    if held.unused:
        noise.append(Said("media_unused", 1, ", ".join(sorted(held.unused))[:LONGEST_QUOTE]))
    metadata = FileMetadata(title, spoken)
    return ParsedFile(items=found, metadata=metadata, media=held.media, ignored_lines=tuple(noise))


def _found(
    all_: Collection, reading: Reading, decks: dict[int, tuple[str, ...]]
) -> Iterator[SourceItem]:
    for place, note in enumerate(all_.notes, start=1):
        cards: list[Card] = all_.cards.get(note.id, [])
        above = decks.get(cards[0].deck, ()) if cards else ()
        type_ = all_.types.get(note.type, NoteType())
        read = partial(reading.found, place, note, type_, cards, above)
        yield read_item(read, Origin(place, place, reading.member))


def _decks(all_: Collection) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Give the title that all decks in use share, and the tags of each by what it has beyond it."""
    used = {card.deck for cards in all_.cards.values() for card in cards}
    paths = {deck: all_.decks.get(deck, "").split(_PARTS) for deck in used}
    shared = _shared(list(paths.values()))
    return _PARTS.join(shared).replace(_PARTS, " – "), {
        deck: tuple(filter(None, map(slug, path[len(shared) :]))) for deck, path in paths.items()
    }


def _shared(paths: list[list[str]]) -> list[str]:
    shared = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return shared


def _language(notes: Iterable[Note]) -> str:
    """Tell the language: by the names of notes that are ours, else by the words."""
    said, length = list[str](), 0
    for note in notes:
        if found := language_of(note.guid):
            return found
        said.append(words(" ".join(note.values)))
        length += len(said[-1])
        if length > _ENOUGH:
            break
    return detect_language(" ".join(said))
