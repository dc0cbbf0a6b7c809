"""Collections of Anki made of readable words, in each of the schemas that exports have."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
import zstandard

from quizzes.formats.parsing.packages import write_zip

QUIRKS = Path(__file__).parents[4] / "fixtures/formats/apkg/quirks.yaml"
NOTES = """
    CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null,
        tags text not null, flds text not null);
    CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null,
        ord integer not null, reps integer not null);
    CREATE INDEX ix_cards_nid on cards (nid);
"""
OLDER = "CREATE TABLE col (id integer primary key, models text not null, decks text not null);"
NEWER = """
    CREATE TABLE notetypes (id integer NOT NULL PRIMARY KEY,
        name text NOT NULL COLLATE unicase, config blob NOT NULL);
    CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name);
    CREATE TABLE fields (ntid integer NOT NULL, ord integer NOT NULL,
        name text NOT NULL COLLATE unicase, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
    CREATE TABLE templates (ntid integer NOT NULL, ord integer NOT NULL,
        name text NOT NULL COLLATE unicase, config blob NOT NULL,
        PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
    CREATE TABLE decks (id integer PRIMARY KEY NOT NULL, name text NOT NULL COLLATE unicase);
"""
Source = Mapping[str, Any]


def quirks() -> Source:
    source: Source = yaml.safe_load(QUIRKS.read_text(encoding="utf-8"))
    return source


def basic(*notes: tuple[str, str], **type_: Any) -> Source:
    """Give notes of two sides, of a type of their own."""
    note_type = {
        "name": "Basic",
        "fields": ["Front", "Back"],
        "templates": [["{{Front}}", "{{Back}}"]],
    }
    listed = [
        {"guid": f"n{place}", "type": 1, "deck": 1, "values": values}
        for place, values in enumerate(notes, start=1)
    ]
    return {"types": {1: {**note_type, **type_}}, "decks": {1: "Rivers"}, "notes": listed}


def older(source: Source) -> bytes:
    link = _notes(source, OLDER)
    models = {
        str(id_): {
            "name": note_type["name"],
            "type": int(note_type.get("cloze", False)),
            "flds": [{"name": name} for name in note_type["fields"]],
            "tmpls": [{"qfmt": front, "afmt": back} for front, back in note_type["templates"]],
            **({"originalStockKind": 6} if note_type.get("occlusion") else {}),
        }
        for id_, note_type in source["types"].items()
    }
    decks = {str(id_): {"name": name} for id_, name in source["decks"].items()}
    link.execute("INSERT INTO col VALUES (1, ?, ?)", (json.dumps(models), json.dumps(decks)))
    link.commit()
    return link.serialize()


def newer(source: Source) -> bytes:
    link = _notes(source, NEWER)
    for id_, note_type in source["types"].items():
        kind = number(1, note_type.get("cloze", False)) + number(
            9, 6 * note_type.get("occlusion", False)
        )
        link.execute("INSERT INTO notetypes VALUES (?, ?, ?)", (id_, note_type["name"], kind))
        fields = [(id_, place, name) for place, name in enumerate(note_type["fields"])]
        link.executemany("INSERT INTO fields VALUES (?, ?, ?)", fields)
        templates = [
            (id_, place, f"Card {place}", said(1, front) + said(2, back) + b"\x1d\0\0\0\0")
            for place, (front, back) in enumerate(note_type["templates"])
        ]
        link.executemany("INSERT INTO templates VALUES (?, ?, ?, ?)", templates)
    decks = [(id_, name.replace("::", "\x1f")) for id_, name in source["decks"].items()]
    link.executemany("INSERT INTO decks VALUES (?, ?)", decks)
    link.commit()
    return link.serialize()


def _notes(source: Source, schema: str) -> sqlite3.Connection:
    link = sqlite3.connect(":memory:")
    link.create_collation("unicase", lambda a, b: (a > b) - (a < b))
    link.executescript(NOTES + schema)
    for place, note in enumerate(source["notes"], start=1):
        values = "\x1f".join(note["values"])
        row = (place, note["guid"], note["type"], note.get("tags", ""), values)
        link.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?)", row)
        for ord_ in note.get("cards", [0]):
            card = (place, note["deck"], ord_, note.get("reps", 0))
            link.execute("INSERT INTO cards VALUES (NULL, ?, ?, ?, ?)", card)
    return link


def number(field: int, value: int) -> bytes:
    """Write a small number as a field of a message."""
    return bytes([field << 3, value]) if value else b""


def said(field: int, text: str) -> bytes:
    """Write a text as a field of a message, its length in seven bits each."""
    data, size = text.encode(), b""
    left = len(data)
    while left >= 128:
        size, left = size + bytes([left & 127 | 128]), left >> 7
    return bytes([field << 3 | 2]) + size + bytes([left]) + data


def media(source: Source) -> Mapping[str, bytes]:
    return {name: text.encode("latin-1") for name, text in source.get("media", {}).items()}


def old_package(source: Source, name: str = "collection.anki2") -> bytes:
    files = media(source)
    listed = json.dumps({str(place): file for place, file in enumerate(files)}).encode()
    members = [(str(place), data) for place, data in enumerate(files.values())]
    return write_zip([(name, older(source)), ("media", listed), *members])


def new_package(source: Source, *, collection: bytes = b"", more: Iterable[Any] = ()) -> bytes:
    pack = zstandard.ZstdCompressor().compress
    stand_in = basic(("Please update to the latest Anki version, then import it again.", ""))
    files = media(source)
    entries = [said(1, name) + b"\x10\x05" for name in files]
    listed = b"".join(bytes([10, len(entry)]) + entry for entry in entries)
    members = [(str(place), pack(data)) for place, data in enumerate(files.values())]
    return write_zip(
        [
            ("meta", b"\x08\x03"),
            ("collection.anki21b", collection or pack(newer(source))),
            ("collection.anki2", older(stand_in)),
            ("media", pack(listed)),
            *members,
            *more,
        ]
    )
