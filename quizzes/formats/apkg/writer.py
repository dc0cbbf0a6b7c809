"""From cards to a package: one deck in one language, the same bytes for the same bank.

Only cards are written. A choice could be shown as one, but would come back as a card and no
longer as a choice: it gets a warning.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import count

import genanki

from quizzes.formats.anki import read_card_texts
from quizzes.formats.apkg.note_ids import build_note_id
from quizzes.formats.contract import ExportResult, ParsedFile, ParsedQuestion
from quizzes.formats.export import ExportTracker, QuestionExporter
from quizzes.formats.parsing.packages import write_zip
from quizzes.lib.html_conversion import to_html

_MEDIA = re.compile(r"media:([\w.-]{1,200})")
_TAG = re.compile(r"<[^<>]*>")
_PLAYER = re.compile(
    r"<img src=\"([^\"]+\.(?:mp3|ogg|oga|wav|m4a|mp4|webm))\" alt=\"([^\"]*)\"[^<>]*>",
    re.IGNORECASE,
)
_EPOCH = 1_500_000_000
_SPREAD = 10**8  # seconds, about three years
_COLLECTION = "collection.anki2"
_FIELDS = {"es": ("Anverso", "Pista", "Reverso", "Explicación")}
_ENGLISH_FIELDS = ("Front", "Hint", "Back", "Explanation")
_MODEL_IDS = {"es": 1_726_480_582}
_MODEL_ID = 1_726_480_581
"""By which Anki knows the type again: cards of all banks share it."""
_STYLE = """\
.card {
  max-width: 38rem; margin: 0 auto; padding: 1rem;
  font: 1.125rem/1.5 system-ui, sans-serif; text-align: left;
  color: #1c1c1c; background: #fdfdfc;
}
.card img, .card video { max-width: 100%; height: auto; }
.card pre { padding: .5rem; overflow-x: auto; background: #f0efec; }
.card table { border-collapse: collapse; }
.card th, .card td { padding: .25rem .5rem; border: 1px solid #8a8a86; }
.explanation { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid #8a8a86; }
.card.nightMode, .card.night_mode { color: #ececea; background: #1f1f1e; }
.nightMode pre, .night_mode pre { background: #2c2c2a; }
"""


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards in one language; questions of other kinds, and languages, are warnings."""
    number = _hash(f"{parsed_file.slug}/{language}")
    deck, model = genanki.Deck(number, _title(parsed_file, language)), _build_model(language)
    deck.add_model(model)
    methods = {"flashcard": ("study",)}
    exporter = QuestionExporter(_read_card, methods, has_tags=True, has_media=True)
    cards, warnings = exporter.export(parsed_file, language)
    media: dict[str, bytes] = {}
    for question, texts in cards:
        names = [name for text in texts for name in _MEDIA.findall(text)]
        media |= {name: parsed_file.media[name] for name in names if name in parsed_file.media}
        front, back, hint, explanation = map(_to_field, texts)
        note = genanki.Note(
            model=model,
            fields=[front, hint, back, explanation],
            guid=build_note_id(parsed_file.slug, question.name, language),
            tags=list(question.tags),
        )
        deck.add_note(note)
    collection = _write_collection(deck, _EPOCH + number % _SPREAD)
    members = [(_COLLECTION, collection), *_write_media(media)]
    return ExportResult(write_zip(members), warnings)


def _read_card(tracker: ExportTracker) -> tuple[ParsedQuestion, tuple[str, ...]]:
    return tracker.question, read_card_texts(tracker)


def _to_field(text: str) -> str:
    html = to_html(text, address=lambda address: address.removeprefix("media:"))
    html = _TAG.sub(lambda tag: tag[0].replace("\n", " "), html).replace("\x1f", " ")
    return _PLAYER.sub(r'<span title="\2">[sound:\1]</span>', html)


def _build_model(language: str) -> genanki.Model:
    """Return the type of cards in a language: English names of fields where we have no others."""
    front, hint, back, explanation = names = _FIELDS.get(language, _ENGLISH_FIELDS)
    question = f"{{{{{front}}}}}{{{{#{hint}}}}}<div>{{{{hint:{hint}}}}}</div>{{{{/{hint}}}}}"
    answer = (
        f"{{{{FrontSide}}}}<hr id=answer>{{{{{back}}}}}{{{{#{explanation}}}}}"
        f'<div class="explanation">{{{{{explanation}}}}}</div>{{{{/{explanation}}}}}'
    )
    return genanki.Model(
        _MODEL_IDS.get(language, _MODEL_ID),
        "Ochenta – tarjeta" if language == "es" else "Ochenta – card",
        fields=[{"name": name} for name in names],
        templates=[{"name": "1", "qfmt": question, "afmt": answer}],
        css=_STYLE,
    )


def _write_collection(deck: genanki.Deck, now: int) -> bytes:
    """Write the database; its dates are made of the deck's number, for a bank has none."""
    with closing(sqlite3.connect(":memory:")) as connection:
        genanki.Package(deck).write_to_db(connection.cursor(), now, count(now * 1000))
        connection.commit()
        return connection.serialize()


def _write_media(media: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    names = sorted(media)
    members = ", ".join(f'"{place}": "{name}"' for place, name in enumerate(names))
    yield "media", f"{{{members}}}".encode()
    for place, name in enumerate(names):
        yield str(place), media[name]


def _hash(text: str) -> int:
    """Return the same number of 31 bits for the same words, as decks are known by in Anki."""
    return 1 << 30 | int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 2


def _title(parsed_file: ParsedFile, language: str) -> str:
    """Return the bank's title in this language; two colons would begin a deck within."""
    titles = parsed_file.fields.get("title")
    title = titles.get(language) if isinstance(titles, Mapping) else None
    name = title or parsed_file.metadata.title or parsed_file.slug or "Ochenta"
    return str(name).replace("::", ":")
