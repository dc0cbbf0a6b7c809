"""From a package to its items: each note of its collection is one, by its first card."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest

from quizzes.formats.anki import CardSides, FieldReader, build_question, parse_tags, read_words
from quizzes.formats.apkg.card_layout import CardLayout, build_layout
from quizzes.formats.apkg.card_templates import render_template
from quizzes.formats.apkg.collection import (
    QUERIES,
    AnkiCard,
    AnkiNote,
    Collection,
    NoteType,
    read_collection,
)
from quizzes.formats.apkg.database import UnreadablePackage, open_database
from quizzes.formats.apkg.note_ids import name_note, read_language
from quizzes.formats.apkg.package import TOO_NEW, AnkiPackage, open_anki_package
from quizzes.formats.builders import Head
from quizzes.formats.contract import LONGEST_QUOTE, FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.naming import Names, slugify
from quizzes.formats.parsing.source_items import Origin, build_item

_OCCLUSION = "image-occlusion:"
_STAND_IN = "Please update to the latest Anki version"
_DECK_SEPARATOR = "::"
_ENOUGH = 50_000
"""Characters that tell the language."""


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a package; what keeps it from being read is the file's error."""
    try:
        package, collection = _open(data)
    except UnreadablePackage as unreadable:
        return ParsedFile(errors=(unreadable.error,))
    language, notes = _read_language(collection.notes, language)
    title, deck_tags = _read_decks(collection)
    reader = _CollectionReader(collection, package, language or "en", deck_tags)
    items = tuple(reader.read_items())
    if collection.is_learned:
        notes.append(Note("learning_left_out", 1))
    if package.unused:
        notes.append(Note("media_unused", 1, ", ".join(sorted(package.unused))[:LONGEST_QUOTE]))
    metadata = FileMetadata(title, language)
    return ParsedFile(
        items=items, metadata=metadata, media=package.media, ignored_lines=tuple(notes)
    )


def lines(data: bytes, member: str) -> Sequence[str]:
    """Return a line a note, each field by its name; none of what is no collection."""
    try:
        package, collection = _open(data)
    except UnreadablePackage:
        return []
    return (
        [_line(note, collection) for note in collection.notes] if member == package.member else []
    )


def _line(note: AnkiNote, collection: Collection) -> str:
    names = collection.types.get(note.type, NoteType()).fields
    fields = zip_longest(names, note.values, fillvalue="")
    return " | ".join(" ".join(f"{name}: {text}".split()) for name, text in fields if text)


def _open(data: bytes) -> tuple[AnkiPackage, Collection]:
    package = open_anki_package(data)
    try:
        with closing(open_database(package.collection, QUERIES)) as database:
            collection = read_collection(database)
    except UnreadablePackage as unreadable:
        if package.is_newest and unreadable.error.code == "collection_damaged":
            raise UnreadablePackage("export_too_new", TOO_NEW) from None
        raise
    # An export for newer versions alone holds this one note for older ones to show.
    if len(collection.notes) == 1 and collection.notes[0].values[0].startswith(_STAND_IN):
        raise UnreadablePackage("export_too_new", TOO_NEW)
    return package, collection


@dataclass(slots=True)
class _CollectionReader:
    """Reads note after note: the names that are used, the layouts that are known."""

    collection: Collection
    package: AnkiPackage
    language: str
    deck_tags: dict[int, tuple[str, ...]]
    names: Names = field(default_factory=Names)
    _layouts: dict[tuple[int, int], CardLayout] = field(default_factory=dict)

    def read_items(self) -> Iterator[SourceItem]:
        for place, note in enumerate(self.collection.notes, start=1):
            origin = Origin(place, place, self.package.member)
            yield read_item(partial(self._read_note, note, origin), origin)

    def _read_note(self, note: AnkiNote, origin: Origin) -> SourceItem:
        type_ = self.collection.types.get(note.type, NoteType())
        if not type_.fields:
            type_ = NoteType(fields=tuple(map(str, range(1, len(note.values) + 1))))
        cards: list[AnkiCard] = self.collection.cards.get(note.id, [])
        templates = {card.template for card in cards}
        layout = self._layout(note.type, type_, min(templates, default=0))
        name = self.names.assign(name_note(note.guid or str(note.id)))
        reader = FieldReader(origin.line, self.package.find_media)
        if layout.is_occlusion or any(_OCCLUSION in text for text in note.values):
            reader.note("image_occlusion", type_.name)
            return build_item(origin.with_name(name, type_.name), None, reader.notes)
        for code in layout.codes:
            reader.note(code)
        values = dict(zip(type_.fields, note.values, strict=False))
        if len(templates) > 1 and not type_.cloze:
            reader.note("cards_left_out")
        for field_name, text in values.items():
            if field_name not in layout.used and (words := read_words(text)):
                reader.note("field_left_out", " ".join(f"{field_name}: {words}".split()))
        deck_tags = self.deck_tags.get(cards[0].deck, ()) if cards else ()
        tags = tuple(dict.fromkeys((*deck_tags, *parse_tags(note.tags))))
        head = Head(origin.line, name, self.language, "", tags=tags)
        question = build_question(head, _render_sides(layout, values), reader)
        origin = origin.with_name(name)
        return build_item(origin, question, reader.notes)

    def _layout(self, type_id: int, type_: NoteType, template: int) -> CardLayout:
        key = (type_id, template)
        if key not in self._layouts:
            self._layouts[key] = build_layout(type_, template)
        return self._layouts[key]


def _render_sides(layout: CardLayout, values: dict[str, str]) -> CardSides:
    def join(names: Iterable[str]) -> str:
        return "".join(f"<div>{values[name]}</div>" for name in names if values.get(name))

    beside = layout.fronts.union(layout.hints, layout.explanations)
    return CardSides(
        render_template(layout.front, values, layout.not_shown),
        render_template(layout.back, values, beside),
        join(layout.hints),
        join(layout.explanations),
        layout.is_cloze,
    )


def _read_decks(collection: Collection) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Return the title that all decks in use share, and the tags of each by the rest of it."""
    used = {card.deck for cards in collection.cards.values() for card in cards}
    paths = {deck: collection.decks.get(deck, "").split(_DECK_SEPARATOR) for deck in used}
    shared = list[str]()
    for parts in zip(*paths.values(), strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return " – ".join(shared), {
        deck: tuple(filter(None, map(slugify, path[len(shared) :]))) for deck, path in paths.items()
    }


def _read_language(notes: Iterable[AnkiNote], language: str) -> tuple[str, list[Note]]:
    """Return the language: by the ids of notes that are ours, else by the words; and a doubt."""
    if language:
        return language, []
    texts, length = list[str](), 0
    for note in notes:
        if own := read_language(note.guid):
            return own, []
        texts.append(read_words(" ".join(note.values)))
        length += len(texts[-1])
        if length > _ENOUGH:
            break
    words = " ".join(texts)
    return take_language(detect_language(words), words)
