"""Collections made to hurt are refused, or read as far as they make sense, within two seconds."""

import sqlite3
import time
import tracemalloc
from collections.abc import Callable

import pytest
import zstandard

from quizzes.formats import apkg
from quizzes.formats.apkg import database
from quizzes.formats.contract import ParsedFile
from quizzes.formats.parsing.packages import write_zip
from tests.quizzes.formats.apkg import packages

PLAIN = packages.basic(("a", "b"))
VIEW = """
    CREATE VIEW %s AS WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)
    SELECT x AS id, x AS guid, x AS mid, x AS tags, x AS flds FROM t;
"""
COMPUTED = """
    DROP TABLE notes;
    CREATE TABLE notes (id integer primary key, guid text, mid integer, tags text,
        flds text GENERATED ALWAYS AS (hex(zeroblob(8000000))));
"""


def read(data: bytes) -> ParsedFile:
    """Read within two seconds of work, however busy the machine is with other things."""
    began = time.process_time()
    parcel = apkg.read(data)
    assert time.process_time() - began < 2
    return parcel


def changed(script: str, *, unsafe: bool = False) -> bytes:
    """Give a collection in which a stranger has run a script."""
    link = sqlite3.connect(":memory:")
    link.deserialize(packages.older(PLAIN))
    if unsafe:
        link.execute("PRAGMA writable_schema=ON")
    link.executescript(script)
    link.commit()
    return link.serialize()


def codes(collection: bytes) -> list[str]:
    return [error.code for error in read(write_zip([("collection.anki2", collection)])).errors]


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE notes;" + VIEW % "notes",
        VIEW % "other",
        "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM cards; END",
        "CREATE VIRTUAL TABLE more USING fts5(words)",
        "DROP TABLE notes; CREATE VIRTUAL TABLE notes USING fts5(id, guid, mid, tags, flds)",
        COMPUTED,
        "".join(f"CREATE TABLE t{number} (x);" for number in range(300)),
    ],
    ids=["view", "other-view", "trigger", "virtual", "virtual-notes", "computed", "many-tables"],
)
def test_a_schema_of_more_than_plain_tables_is_refused(script):
    assert codes(changed(script)) == ["collection_unsafe"]


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("DROP TABLE notes", "collection_damaged"),
        ("ALTER TABLE notes DROP COLUMN flds", "collection_damaged"),
        ("UPDATE col SET models = '['", "collection_damaged"),
        ("UPDATE col SET models = '[1]'", "collection_damaged"),
        ('UPDATE col SET models = \'{"1": {"flds": 3}}\'', "collection_damaged"),
        ('UPDATE col SET models = \'{"1": {"name": "a", "flds": 3}}\'', "collection_damaged"),
        ("UPDATE col SET decks = replace(hex(zeroblob(50000)), '0', '[')", "collection_damaged"),
        ("UPDATE notes SET flds = x'00ff'", "collection_damaged"),
        ("UPDATE notes SET mid = 'one'", "collection_damaged"),
        ("UPDATE notes SET flds = hex(randomblob(9000000))", "collection_damaged"),
        ("UPDATE sqlite_master SET sql = 'CREATE TABLE notes (id, id)'", "collection_damaged"),
    ],
)
def test_a_collection_that_makes_no_sense_is_refused(script, code):
    assert codes(changed(script, unsafe=True)) == [code]


def spoiled(at: int, put: bytes) -> bytes:
    data = packages.older(PLAIN)
    return data[:at] + put + data[at + len(put) :]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SQLite format 3\0",
        spoiled(100, b"\xff" * 500),
        spoiled(16, b"\0\3"),
        packages.older(PLAIN)[:5000],
        *(spoiled(4096 * page, b"\5" * 200) for page in (1, 2, 4)),
    ],
)
def test_torn_pages_are_refused(data):
    assert codes(data) == ["collection_damaged"]


def test_a_database_that_looks_for_its_log_is_read_without():
    data = packages.older(PLAIN)
    logged = data[:18] + b"\2\2" + data[20:]
    assert codes(logged) == []


def circle() -> bytes:
    """Give a table whose one inner page leads to the same leaf again and again."""
    link = sqlite3.connect(":memory:")
    link.executescript("PRAGMA page_size=1024;" + packages.NOTES + packages.OLDER)
    link.execute("INSERT INTO col VALUES (1, '{}', '{}')")
    rows = (("x" * 50, number) for number in range(40_000))
    link.executemany("INSERT INTO notes VALUES (NULL, '', 1, ?, ?)", rows)
    link.commit()
    [[root]] = link.execute("SELECT rootpage FROM sqlite_master WHERE name = 'notes'")
    data = bytearray(link.serialize())
    _lead(data, (root - 1) * 1024, root)
    return bytes(data)


def _lead(data: bytearray, at: int, page: int) -> None:
    """Make all cells of an inner page lead to one page."""
    cells = int.from_bytes(data[at + 3 : at + 5], "big")
    for place in range(cells):
        cell = int.from_bytes(data[at + 12 + 2 * place : at + 14 + 2 * place], "big")
        data[at + cell : at + cell + 4] = page.to_bytes(4, "big")


def test_pages_in_a_circle_come_to_an_end():
    assert codes(circle()) == ["collection_damaged"]


def test_what_takes_too_many_steps_is_refused(monkeypatch):
    monkeypatch.setattr(database, "_MOST_STEPS", 0)
    monkeypatch.setattr(database, "_STEPS", 1)
    assert codes(packages.older(PLAIN)) == ["collection_damaged"]


@pytest.mark.parametrize(
    ("place", "name"),
    [(database, "MOST_ROWS"), (database, "MOST_CHARACTERS")],
)
def test_more_than_any_collection_holds_is_refused(monkeypatch, place, name):
    monkeypatch.setattr(place, name, 1000)
    first = "INSERT INTO notes SELECT id + {0}, guid, mid, tags, flds FROM notes"
    many = ";".join(first.format(2**number) for number in range(11))
    assert codes(changed(many)) == ["too_big"]


def newest(collection: bytes) -> list[str]:
    return [error.code for error in read(packages.new_package(PLAIN, collection=collection)).errors]


def test_a_frame_that_unpacks_to_too_much_is_refused():
    pack = zstandard.ZstdCompressor(level=19).compress
    bomb = pack(bytes(60 * 1024 * 1024))
    assert len(bomb) < 10_000
    tracemalloc.start()
    assert newest(bomb) == ["package_expands"]
    assert tracemalloc.get_traced_memory()[1] < 130_000_000
    tracemalloc.stop()


def test_a_frame_that_unpacks_to_far_more_than_it_is_is_refused():
    assert newest(zstandard.compress(bytes(2 * 1024 * 1024))) == ["package_expands"]
    assert newest(zstandard.compress(bytes(1024 * 1024))) == ["export_too_new"]


def test_a_frame_that_asks_for_too_much_memory_is_refused():
    wide = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
    frame = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    data = frame.compress(packages.newer(PLAIN)) + frame.flush()
    assert newest(data) == ["export_too_new"]


def test_files_that_unpack_to_too_much_stay_out():
    pack = zstandard.ZstdCompressor().compress
    source = packages.basic(('<img src="a.png" alt="A">x', "y"))
    bomb = pack(bytes(120 * 1024 * 1024))
    entry = packages.said(1, "a.png")
    data = write_zip(
        [
            ("collection.anki21b", pack(packages.newer(source))),
            ("media", pack(bytes([10, len(entry)]) + entry)),
            ("0", bomb),
        ]
    )
    parcel = read(data)
    assert parcel.media == {}
    assert [note.code for note in parcel.items[0].notes] == ["picture_elsewhere"]


TEMPLATES: list[Callable[[int], str]] = [
    lambda size: "{{Front}}" * size,
    lambda size: "{{#Front}}" * size + "{{Front}}",
    lambda size: "{{" * size,
    lambda size: "<hr " * size + "{{Front}}",
    lambda size: "{{Front}}" + "x" * size,
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_that_repeat_themselves_end(template):
    source = packages.basic(
        *[("word " * 50, "y")] * 300, templates=[[template(20_000), template(20_000)]]
    )
    assert len(read(packages.old_package(source)).items) == 300


def test_templates_that_are_a_book_are_refused():
    words = " ".join(map(str, range(700_000)))
    source = packages.basic(("x", "y"), templates=[["{{Front}}", words]])
    assert codes(packages.older(source)) == ["too_big"]


def test_templates_with_ever_other_fields_end():
    many = "".join(f"{{{{{number}}}}}" for number in range(200_000))
    source = packages.basic(("x", "y"), templates=[[many, many]])
    assert len(read(write_zip([("collection.anki2", packages.older(source))])).items) == 1


@pytest.mark.parametrize("text", ["{{c1::", "}}", "{{c1::a}}", "[latex]", "[sound:", "[$]a[/$]"])
def test_fields_full_of_marks_end(text):
    source = packages.basic(
        (text * 20_000, text * 20_000), cloze=True, templates=[["{{cloze:Front}}", "{{Back}}"]]
    )
    assert len(read(packages.old_package(source)).items) == 1
