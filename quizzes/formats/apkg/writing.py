"""From cards to a package: one deck in one language, the same bytes for the same bank.

Only cards go along. A choice could be shown as one, but would come back as a card and no longer
as a choice: it is told as a loss.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count

import genanki

from quizzes.formats.apkg.guids import marked
from quizzes.formats.apkg.look import note_type
from quizzes.formats.contract import ExportResult, ExportWarning, ParsedFile, ParsedQuestion
from quizzes.formats.html import to_html
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.packages import write_zip

_MEDIA = re.compile(r"media:([\w.-]{1,200})")
_TAG = re.compile(r"<[^<>]*>")
_PLAYED = re.compile(
    r"<img src=\"([^\"]+\.(?:mp3|ogg|oga|wav|m4a|mp4|webm))\" alt=\"([^\"]*)\"[^<>]*>",
    re.IGNORECASE,
)
_EPOCH = 1_500_000_000
_SPREAD = 10**8  # seconds, about three years
_MEMBER = "collection.anki2"


@dataclass(slots=True)
class _Deck:
    """The deck while it is filled; `shown` are the files that its cards show."""

    parsed_file: ParsedFile
    language: str
    deck: genanki.Deck
    warnings: list[ExportWarning]
    shown: dict[str, bytes]

    def add(self, question: ParsedQuestion) -> None:
        """Add a card, or say why it cannot be one."""
        if refusal := find_refusal(question, {"flashcard"}, self.language):
            self.warnings += refusal
            return
        tracker = ExportTracker(question, self.language, tags=True, files=self.parsed_file.media)
        fields = [
            self._field(tracker.text(name, told=told))
            for name, told in (
                ("prompt", False),
                ("hint", False),
                ("back", True),
                ("explanation", True),
            )
        ]
        guid = marked(self.parsed_file.slug, question.name, self.language)
        model = note_type(self.language)
        note = genanki.Note(model=model, fields=fields, guid=guid, tags=list(question.tags))
        self.deck.add_note(note)
        self.warnings += tracker.warnings("study")

    def _field(self, text: str) -> str:
        for name in _MEDIA.findall(text):
            if name in self.parsed_file.media:
                self.shown[name] = self.parsed_file.media[name]
        html = to_html(text, address=lambda address: address.removeprefix("media:"))
        html = _TAG.sub(lambda tag: tag[0].replace("\n", " "), html).replace("\x1f", " ")
        return _PLAYED.sub(r'<span title="\2">[sound:\1]</span>', html)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards in one language; questions of other kinds, and other languages, are losses."""
    number = _number(f"{parsed_file.slug}/{language}")
    deck = genanki.Deck(number, _title(parsed_file, language))
    deck.add_model(note_type(language))
    made = _Deck(parsed_file, language, deck, [], {})
    for question in parsed_file.questions:
        made.add(question)
    collection = _collection(deck, _EPOCH + number % _SPREAD)
    return ExportResult(
        write_zip([(_MEMBER, collection), *_files(made.shown)]), tuple(made.warnings)
    )


def _collection(deck: genanki.Deck, now: int) -> bytes:
    """Write the database; its moments are made of the deck's number, for a bank has none."""
    with closing(sqlite3.connect(":memory:")) as link:
        genanki.Package(deck).write_to_db(link.cursor(), now, count(now * 1000))
        link.commit()
        return link.serialize()


def _files(shown: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    names = sorted(shown)
    listed = ", ".join(f'"{place}": "{name}"' for place, name in enumerate(names))
    yield "media", f"{{{listed}}}".encode()
    for place, name in enumerate(names):
        yield str(place), shown[name]


def _number(text: str) -> int:
    """Give the same number of 31 bits for the same words, as decks are known by there."""
    return 1 << 30 | int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 2


def _title(parsed_file: ParsedFile, language: str) -> str:
    """Name the deck by the bank's title in this language; two colons would begin a deck within."""
    titles = parsed_file.fields.get("title")
    said = titles.get(language) if isinstance(titles, Mapping) else None
    name = said or parsed_file.metadata.title or parsed_file.slug or "Ochenta"
    return str(name).replace("::", ":")
