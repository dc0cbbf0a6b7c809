"""A reader that fails refuses the item that it was reading, or the file; the rest comes in."""

import logging
from itertools import count

import pytest

from quizzes.formats import FORMATS, LINES, ochenta
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing import failures
from quizzes.formats.parsing.failures import read_file, read_item, read_items
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin
from quizzes.imports import source_excerpts
from quizzes.imports.parse import parse_upload
from tests.quizzes.imports.example_files import own_examples

SECRET = "the words of somebody's file"
BANK = "ochenta-bank/1"
APART = {BANK}
"""A bank file names its questions itself."""
EXAMPLES = [example for example in own_examples() if example.format not in APART]


def fail(error: BaseException):
    def failing(*_: object, **__: object) -> SourceItem:
        raise error

    return failing


def read(example) -> ParsedFile:
    return parse_upload(example.data, example.name, format_=example.format)


@pytest.mark.failing_readers
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_item_whose_reading_fails_is_refused_with_its_place_and_the_others_come_in(
    monkeypatch, example
):
    parsed_file = read(example)
    calls, named = count(), Names.assign

    def name(names: Names, *texts: str) -> str:
        if next(calls) == 1:
            raise ValueError(SECRET)
        return named(names, *texts)

    monkeypatch.setattr(Names, "assign", name)
    parcel = read(example)
    refused = [item for item in parcel.items if item.kind == "unknown" and item.notes]
    refused = [item for item in refused if item.notes[0].code == "reader_failed"]
    assert len(refused) == (next(calls) > 1)
    assert parcel.errors == parsed_file.errors
    for item in refused:
        place = item.line, item.end_line, item.archive_path
        beside = [(other.line, other.end_line, other.archive_path) for other in parsed_file.items]
        assert place in beside or "olx" in str(example)
        assert (item.status, item.question) == (ImportStatus.REFUSED, None)
    if example.format != "olx":  # where several items may come of one element
        assert len(parcel.items) == len(parsed_file.items)


@pytest.mark.failing_readers
def test_a_question_of_a_bank_file_whose_reading_fails_is_refused_alone(monkeypatch):
    example = next(own_example for own_example in own_examples() if own_example.format == BANK)
    parsed_file = read(example)
    read_question, calls = ochenta.reading._BankReader._read_question, count()

    def fail_once(reader, node):
        if next(calls) == 1:
            raise ValueError(SECRET)
        return read_question(reader, node)

    monkeypatch.setattr(ochenta.reading._BankReader, "_read_question", fail_once)
    parcel = read(example)
    assert len(parcel.items) == len(parsed_file.items)
    assert [item.line for item in parcel.items] == [item.line for item in parsed_file.items]
    assert [note.code for note in parcel.items[1].notes] == ["reader_failed"]
    assert parcel.items[2] == parsed_file.items[2]


@pytest.mark.failing_readers
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyError(SECRET), "reader_failed"),
        (RecursionError(SECRET), "item_too_deep"),
        (AssertionError(SECRET), "reader_failed"),
        (StopIteration(SECRET), "reader_failed"),
    ],
)
def test_what_an_item_throws_is_logged_with_its_place_and_without_its_words(caplog, error, code):
    item = read_item(fail(error), Origin(7, 9, "items/q7.xml"))
    assert (item.line, item.end_line, item.archive_path) == (7, 9, "items/q7.xml")
    assert [(note.code, note.line, note.quote) for note in item.notes] == [(code, 7, "")]
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "item at items/q7.xml:7" in record.getMessage()
    assert type(error).__name__ in record.getMessage()
    assert "test_failures.py" in record.getMessage()
    assert SECRET not in record.getMessage()
    assert record.exc_info is None


@pytest.mark.failing_readers
@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt()])
def test_what_says_nothing_of_an_item_ends_the_reading(error):
    with pytest.raises(type(error)):
        read_items(fail(error), Origin(1, 1))


@pytest.mark.failing_readers
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), "file_too_heavy"),
        (RecursionError(), "item_too_deep"),
        (KeyError(SECRET), "reader_failed"),
    ],
)
def test_what_a_file_throws_refuses_the_file(error, code):
    (trouble,) = read_file(fail(error), "gift").errors
    assert (trouble.code, trouble.line) == (code, 1)
    assert trouble.message


def test_a_recursion_without_end_is_logged_in_short(caplog, request):
    request.node.add_marker("failing_readers")

    def deeper(level: int) -> SourceItem:
        return deeper(level + 1) if level else read_item(lambda: deeper(1), Origin(1, 1))

    item = read_item(lambda: deeper(1), Origin(2, 2))
    assert item.notes[0].code == "item_too_deep"
    assert len(caplog.records[-1].getMessage()) < 10_000


@pytest.mark.failing_readers
def test_a_format_that_fails_to_tell_whether_a_file_is_its_own_does_not_claim_it(
    monkeypatch, caplog
):
    monkeypatch.setattr(FORMATS["gift"], "detect", fail(ValueError(SECRET)))
    assert detect_format(b"::q::What? {=a ~b}", "x.txt") is None
    assert SECRET not in caplog.text
    assert "whether a file is of format gift: ValueError" in caplog.text


@pytest.mark.failing_readers
def test_lines_that_cannot_be_split_leave_the_preview_without_them(monkeypatch, caplog):
    monkeypatch.setitem(LINES, "xlsx", fail(ValueError(SECRET)))
    lines = source_excerpts.line_source(b"PK", "xlsx")
    assert (
        source_excerpts.item_excerpt(lines, SourceItem(1, 2, "a", "essay", ImportStatus.REFUSED))
        == ""
    )
    assert "the lines of a file: ValueError" in caplog.text
    monkeypatch.setitem(LINES, "xlsx", fail(MemoryError()))
    with pytest.raises(MemoryError):
        source_excerpts.line_source(b"PK", "xlsx")("")


def test_the_codes_are_those_that_people_are_told():
    assert {"reader_failed", "item_too_deep", "file_too_heavy"} == failures.CODES
