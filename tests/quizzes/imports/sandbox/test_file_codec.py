"""A file that was read, on its way between two processes: it arrives as it was, or not at all."""

import json
from dataclasses import fields
from fractions import Fraction

import pytest

from quizzes.formats.contract import (
    FileError,
    FileMetadata,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    SourceItem,
)
from quizzes.formats.detection import detect_format
from quizzes.imports.parse import parse_upload
from quizzes.imports.sandbox import file_codec
from quizzes.imports.sandbox.file_codec import decode_reading, encode_reading
from quizzes.imports.sandbox.frames import FrameBuffer, encode_frame, encode_json_frame
from tests.quizzes.imports.example_files import corpus_examples, own_examples

EXAMPLES = own_examples()


def carry(parsed_file: ParsedFile) -> ParsedFile:
    excerpts = [f"lines of {item.name}" for item in parsed_file.items]
    reading = decode_reading(b"".join(encode_reading(parsed_file, excerpts)))
    assert list(reading.excerpts) == excerpts
    return reading.parsed_file


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_what_is_read_of_every_example_arrives_as_it_was(example):
    parsed_file = parse_upload(example.data, example.name, format_=example.format)
    assert carry(parsed_file) == parsed_file


@pytest.mark.slow
@pytest.mark.parametrize("example", corpus_examples(), ids=lambda example: example.name)
def test_what_is_read_of_a_corpus_arrives_as_it_was(example):
    if detect_format(example.data, example.name) is None:
        return
    parsed_file = parse_upload(example.data, example.name)
    assert carry(parsed_file) == parsed_file


def test_points_grades_pictures_and_odd_characters_arrive_as_they_were():
    item = SourceItem(
        3, 9, "a\ud800\0b", "essay", ImportStatus.REFUSED, None,
        (Note("reader_failed", 3, "«\n»", {"n": 2, "words": "x"}),), "a/b.xml", Fraction(1, 3),
        is_damaged=True, keys=(Note("key", 3, "x"),),
        remainder=(Note("line_left_over", 4, "x"),),
    )  # fmt: skip
    parsed_file = ParsedFile(
        slug="rivers",
        items=(item,),
        metadata=FileMetadata("t", "es", Fraction(7, 10), Fraction(0)),
        media={"a b\n.png": bytes(range(256)), "": b""},
        ignored_lines=(Note("language_unknown", 1),),
        remainder=(Note("line_left_over", 2, "y"),),
    )
    assert carry(parsed_file) == parsed_file


def rest(**changes: object) -> bytes:
    usual = {
        "slug": "", "fields": {}, "errors": [], "metadata": ["", "", None, None],
        "ignored_lines": [], "remainder": [],
    }  # fmt: skip
    return encode_json_frame("file", {**usual, **changes})


def item(**changes: object) -> bytes:
    usual = {
        "line": 1, "end_line": 1, "name": "a", "kind": "essay", "status": "imported",
        "question": None, "notes": [], "archive_path": "", "points": None,
        "is_damaged": False, "keys": [], "remainder": [], "comparison": None,
    }  # fmt: skip
    return encode_json_frame("item", [{**usual, **changes}, ""]) + rest()


def test_the_frames_that_are_spoilt_below_are_sound():
    assert decode_reading(rest()).parsed_file == ParsedFile()
    assert decode_reading(item()).parsed_file.items[0].name == "a"


SPOILT = {
    "nothing": b"",
    "no end": item()[:-1],
    "more than the end": rest() + b"x",
    "no frame": b"words " * 20,
    "a size below zero": b"file -1\n",
    "a huge size": b"file 99999999999\n",
    "no JSON": encode_frame("file", b"{"),
    "deep JSON": encode_frame("file", b"[" * 100_000),
    "a list": encode_json_frame("file", []),
    "a slug that is a number": rest(slug=1),
    "a grade that is a word": rest(metadata=["", "", "x", None]),
    "a grade over nothing": rest(metadata=["", "", [1, 0], None]),
    "a float": encode_frame("file", json.dumps({"slug": 0.5}).encode()),
    "not a number": encode_frame("file", b'{"slug": NaN}'),
    "an error without a message": rest(errors=[[1, "", "code"]]),
    "an unknown status": item(status="published"),
    "a line that is true": item(line=True),
    "a question that is a word": item(question="x"),
    "a note with a list": item(notes=[["code", 1, "", {"a": []}]]),
    "a comparison without a number": item(comparison={"compared": "1"}),
    "a share over nothing": item(
        comparison={
            "compared": 1,
            "reason": "",
            "quote": "",
            "is_told": False,
            "differences": [[["a"], [1, 0], [0, 1]]],
        }
    ),
    "half an item": encode_json_frame("item", [{}]) + rest(),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_no_file_of_readers_is_refused(name):
    with pytest.raises(ValueError, match=r"\w"):
        decode_reading(SPOILT[name])


def test_every_field_of_what_readers_return_is_carried():
    assert {field.name for field in fields(SourceItem)} == file_codec._ITEM_FIELDS.keys()
    assert {field.name for field in fields(ParsedQuestion)} == file_codec._QUESTION_FIELDS.keys()
    assert [field.name for field in fields(ParsedRow)] == ["line", "name", "values", "texts"]
    assert [field.name for field in fields(Note)] == ["code", "line", "quote", "detail"]
    assert [field.name for field in fields(FileError)] == ["line", "where", "code", "message"]
    assert [field.name for field in fields(FileMetadata)] == [
        "title",
        "language",
        "grade",
        "pass_threshold",
    ]
    assert [field.name for field in fields(ParsedFile)] == [
        "slug", "fields", "items", "errors", "metadata", "media", "ignored_lines", "remainder",
    ]  # fmt: skip


def test_frames_are_the_same_however_they_are_cut():
    frames = [("item", b"a\nb 3\n"), ("media", b""), ("file", b"x" * 1000)]
    data = b"".join(encode_frame(kind, body) for kind, body in frames)
    for size in (1, 7, 100, len(data)):
        buffer = FrameBuffer()
        parts = (data[at : at + size] for at in range(0, len(data), size))
        assert [frame for part in parts for frame in buffer.feed(part)] == frames
        assert buffer.is_empty
