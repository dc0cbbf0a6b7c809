"""Packages of Anki, in either schema, are read note by note; each has its verdict."""

import sqlite3
from io import BytesIO
from zipfile import ZipFile

import pytest
import zstandard

from grading.kinds import KINDS
from quizzes.formats import FORMATS, apkg
from quizzes.formats.contract import ParsedFile, ParsedQuestion
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports import source_excerpts
from quizzes.presentation.messages.import_notes import NOTES
from tests.quizzes.formats.apkg import packages
from tests.quizzes.imports.questions import item

OLD, NEW = (
    packages.old_package(packages.quirks()),
    packages.new_package(packages.quirks()),
)
PACKAGES = [
    OLD,
    NEW,
    packages.old_package(packages.quirks(), "collection.anki21"),
]
NAMES = ["anki2", "anki21b", "anki21"]


@pytest.fixture(params=PACKAGES, ids=NAMES)
def parcel(request) -> ParsedFile:
    return apkg.read(request.param)


def said(question: ParsedQuestion) -> dict[str, str]:
    return {text.name: words["en"] for text, words in question.texts.items()}


def told(source: packages.Source) -> ParsedFile:
    return apkg.read(packages.old_package(source), language="en")


def only(source: packages.Source) -> ParsedQuestion:
    [question] = told(source).questions
    return question


def test_every_note_has_a_verdict(parcel):
    assert parcel.errors == ()
    assert [
        (item.name, item.kind, item.status, [note.code for note in item.notes])
        for item in parcel.items
    ] == [
        ("anki-0eac1f2b8f61", "flashcard", "imported", []),
        ("b2", "flashcard", "imported", ["cards_left_out"]),
        ("c3", "flashcard", "repaired", ["typed_as_card"]),
        ("d4", "cloze", "repaired", ["gaps_at_once"]),
        ("e5", "flashcard", "repaired", ["cloze_as_card"]),
        ("f6", "Image Occlusion", "refused", ["image_occlusion"]),
        ("g7", "flashcard", "imported", ["field_left_out"]),
        ("h8", "flashcard", "needs_review", ["card_by_program"]),
        ("i9", "flashcard", "imported", []),
        ("j10", "flashcard", "repaired", ["picture_without_words"]),
        ("k11", "flashcard", "needs_review", ["picture_elsewhere", "prompt_missing"]),
        ("l12", "flashcard", "needs_review", ["back_missing"]),
        ("minho", "flashcard", "needs_review", ["picture_without_words", "latex_as_text"]),
    ]
    assert [item.line for item in parcel.items] == list(range(1, 14))


def test_sides_are_what_the_templates_show(parcel):
    by_name = {question.name: question for question in parcel.questions}
    assert said(by_name["anki-0eac1f2b8f61"]) == {
        "prompt": "Which *river* passes Soria?",
        "back": "The **Duero**",
    }
    assert said(by_name["c3"]) == {"prompt": "Ebro, in Latin?", "back": "Hiberus"}
    assert said(by_name["g7"]) == {
        "prompt": "What is the capital of France?",
        "hint": "On the Seine",
        "back": "**Paris**",
        "explanation": "Since 987",
    }
    assert said(by_name["i9"]) == {"prompt": "one", "back": "two", "explanation": "three"}
    assert said(by_name["k11"])["back"] == r"$\frac{a}{b}$ or $$x + 1$$"


def test_covered_words_are_gaps_where_they_can_be_typed(parcel):
    by_name = {question.name: question for question in parcel.questions}
    gaps = by_name["d4"]
    assert said(gaps) == {
        "prompt": "The [[gap-1]] meets the sea at [[gap-2]] (a capital).",
        "explanation": "It is the longest.",
    }
    assert [row.values["text"] for row in gaps.tables["accepted"]] == ["Tajo", "Lisbon"]
    assert said(by_name["e5"]) == {"prompt": r"Its law is \[…\].", "back": "Its law is $a^2$."}


def test_files_come_along_where_a_note_shows_them(parcel):
    by_name = {question.name: question for question in parcel.questions}
    assert parcel.media == {
        "rio-alto-0f910e78.png": b"\x89PNG one",
        "duero-29464b24.mp3": b"ID3 two",
    }
    assert said(by_name["j10"]) == {
        "prompt": "![A bend](media:rio-alto-0f910e78.png)",
        "back": "![](media:duero-29464b24.mp3)",
    }


def test_decks_and_tags_become_tags_and_what_they_share_the_title(parcel):
    assert parcel.metadata.title == "Geography"
    by_name = {question.name: question.tags for question in parcel.questions}
    assert by_name["anki-0eac1f2b8f61"] == ("spain", "rivers", "castile", "north-cold")
    assert by_name["g7"] == ("france",)


def test_what_belongs_to_no_note_is_told_once(parcel):
    assert [(note.code, note.quote) for note in parcel.ignored_lines] == [
        ("learning_left_out", ""),
        ("media_unused", "_font.ttf"),
    ]


def test_every_code_has_its_sentence(parcel):
    codes = {note.code for item in parcel.items for note in item.notes}
    assert codes | {note.code for note in parcel.ignored_lines} <= NOTES.keys()


def test_what_is_imported_can_be_published(parcel):
    for source_item in parcel.items:
        if source_item.question and source_item.status != "needs_review":
            document = item(source_item.question)
            kind = KINDS[document.kind]
            assert kind.validate(document.content, document.key, document.scoring_method) == ()


def test_our_own_marks_tell_name_and_language():
    source = packages.basic(("rojo", "azul"))
    ours = {**source["notes"][0], "guid": "ochenta:rivers/minho/es"}
    parcel = apkg.read(packages.old_package({**source, "notes": [ours]}))
    assert parcel.metadata.language == "es"
    assert [item.name for item in parcel.items] == ["minho"]


def test_the_language_is_that_of_the_words_or_unknown():
    assert apkg.read(OLD).metadata.language == "en"
    assert apkg.read(OLD, language="es").metadata.language == "es"
    unsure = apkg.read(packages.old_package(packages.basic(("1", "2"))))
    assert unsure.ignored_lines[0].code == "language_unknown"


def test_a_changed_note_keeps_its_name():
    before, after = (
        told(packages.basic(("a", "b"))),
        told(packages.basic(("c", "d"))),
    )
    assert [item.name for item in before.items] == [item.name for item in after.items]


def test_the_stand_in_of_newer_exports_is_no_card():
    stand_in = ("Please update to the latest Anki version, then import again.", "")
    refused = told(packages.basic(stand_in)).errors
    assert [error.code for error in refused] == ["export_too_new"]
    assert "Support older Anki versions" in refused[0].message
    texts = [words for question in apkg.read(NEW).questions for words in said(question).values()]
    assert not any("Please update" in text for text in texts)


@pytest.mark.parametrize("collection", [b"\x28\xb5\x2f\xfdno", b"no frame", b""])
def test_a_newer_collection_that_cannot_be_read_names_the_switch(collection):
    data = write_zip([("collection.anki21b", collection or zstandard.compress(b"SQLite no"))])
    [trouble] = apkg.read(data).errors
    assert trouble.code == "export_too_new"
    assert "Support older Anki versions" in trouble.message


def test_packages_are_claimed_by_what_they_hold():
    for data in PACKAGES:
        assert detect_format(data, "x.zip") is FORMATS["anki-apkg"]
    assert apkg.detect(b"PK broken", "x.apkg")
    assert not apkg.detect(b"PK broken", "x.zip")
    assert not apkg.detect(write_zip([("imsmanifest.xml", b"<manifest/>")]), "x.zip")
    assert not apkg.detect(b"{}", "x.apkg")


def test_a_package_without_a_collection_is_refused():
    [trouble] = apkg.read(write_zip([("media", b"{}")])).errors
    assert trouble.code == "collection_missing"
    assert apkg.read(b"PK\x03\x04").errors[0].code == "package_damaged"


@pytest.mark.parametrize("listed", [b"[1]", b"{", b"[" * 100_000, b'{"0": "a.png", "9": "b.png"}'])
def test_a_list_of_files_that_makes_no_sense_brings_none(listed):
    note = packages.basic(('<img src="b.png" alt="b"> What is in the picture?', "x"))
    data = write_zip([("collection.anki2", packages.older(note)), ("media", listed)])
    parcel = apkg.read(data)
    assert parcel.media == {}
    assert [note.code for note in parcel.items[0].notes] == ["picture_elsewhere"]


def test_a_note_of_a_type_that_is_not_there_has_its_values_in_their_order():
    source = {**packages.basic(("a", "b")), "types": {}}
    assert said(only(source)) == {"prompt": "a", "back": "b"}


def test_a_note_without_cards_is_read_by_its_first_template():
    source = packages.basic(("a", "b"))
    source = {**source, "notes": [{**source["notes"][0], "cards": []}]}
    assert said(only(source)) == {"prompt": "a", "back": "b"}
    assert told(source).metadata.title == ""


def test_a_second_card_alone_is_the_card():
    source = packages.quirks()
    [reversed_] = [note for note in source["notes"] if note["guid"] == "b2"]
    item = only({**source, "notes": [{**reversed_, "cards": [1]}]})
    assert said(item) == {"prompt": "España", "back": "Spain"}


def test_a_collection_without_cards_at_all_is_read():
    link = sqlite3.connect(":memory:")
    link.deserialize(packages.older(packages.basic(("a", "b"))))
    link.executescript("DROP TABLE cards; DELETE FROM col")
    data = write_zip([("collection.anki2", link.serialize())])
    assert [said(question) for question in apkg.read(data, language="en").questions] == [
        {"prompt": "a", "back": "b"}
    ]


def test_configurations_that_are_no_bytes_name_the_switch():
    link = sqlite3.connect(":memory:")
    link.deserialize(packages.newer(packages.basic(("a", "b"))))
    link.executescript("UPDATE notetypes SET config = 'text'")
    data = write_zip([("collection.anki21b", zstandard.compress(link.serialize()))])
    assert [error.code for error in apkg.read(data).errors] == ["export_too_new"]


@pytest.mark.parametrize("member", ["collection.anki2", "0"])
def test_a_damaged_file_in_a_package_is_told(member):
    source = packages.basic(('<img src="a.png" alt="b"> What?', "x"))
    data = bytearray(packages.old_package({**source, "media": {"a.png": "picture " * 50}}))
    with ZipFile(BytesIO(data)) as package:
        data[package.getinfo(member).header_offset + 30 + len(member) + 4] ^= 0xFF
    parcel = apkg.read(bytes(data))
    codes = [error.code for error in parcel.errors]
    codes += [note.code for item in parcel.items for note in item.notes]
    assert codes == [{"0": "picture_elsewhere"}.get(member, "package_damaged")]


def test_every_note_has_a_line_to_be_shown_beside_it():
    for data in PACKAGES:
        lines = source_excerpts.line_source(data, apkg.name)
        items = apkg.read(data).items
        assert source_excerpts.item_excerpt(lines, items[1]) == "Front: Spain | Back: España"
        assert source_excerpts.item_excerpt(lines, items[8]) == "One: one | Two: two | Three: three"
        assert len(lines(items[0].archive_path)) == len(items)
        assert lines("media") == []
    assert source_excerpts.line_source(b"PK", apkg.name)("collection.anki2") == []


def test_what_no_text_can_hold_is_taken_out():
    source = packages.basic(("a\x00\x1bb", "c"), name="Ba\x00sic")
    assert said(only(source)) == {"prompt": "ab", "back": "c"}
