"""Small files that hold much: refused with what and where, in two seconds of CPU."""

import os
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from unittest.mock import Mock

import pytest
from openpyxl import Workbook, load_workbook

from quizzes.formats import FORMATS, WRITERS
from quizzes.formats.builders import Head, build_flashcard
from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from quizzes.formats.tables import workbook_reader
from quizzes.imports import parse
from quizzes.imports.sandbox import reading_process
from quizzes.presentation.messages.import_notes import NOTES
from quizzes.presentation.messages.imports import FILE_ERRORS
from tests.cpu_time import measure_cpu, measure_growth, measure_slowness
from tests.quizzes.imports.sandbox.servers import changed_server
from tests.quizzes.imports.wordings import parcel

MANY = READING_LIMITS.items + 1
START_SECONDS = 1.5
"""CPU of a new server; it is counted with what it forks."""
SLOW = 1.15
"""From here on a machine may stop what another one would have read up to its limit."""
MOODLE = (
    '<question type="multichoice"><name><text>q</text></name><questiontext format="html">'
    "<text>Which?</text></questiontext></question>"
)


def workbook(rows: int, columns: int) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for _ in range(rows):
        sheet.append(["x"] * columns)
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def document(question: str) -> bytes:
    return f"<quiz>{question * MANY}</quiz>".encode()


def package(document: str, count: int) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.xml", f"<questestinterop>{document * count}</questestinterop>")
    return stream.getvalue()


def cards() -> bytes:
    questions = [build_flashcard(Head(1, f"q{n}", "en", "a"), "b", "") for n in range(MANY)]
    return WRITERS["anki-apkg"].write(parcel(questions), language="en").data


FULL = {
    "aiken": ("too_many_items", lambda: b"Which?\nA. a\nB. b\nANSWER: A\n\n" * MANY),
    "anki-apkg": ("too_many_items", cards),
    "anki-tsv": ("too_many_items", lambda: b"#separator:tab\n#html:true\n" + b"a\tb\n" * MANY),
    "checklist": ("too_many_items", lambda: b"### Which?\n- [x] a\n- [ ] b\n\n" * MANY),
    "csv": ("too_many_items", lambda: b"question,a,b,correct\n" + b"q,x,y,a\n" * MANY),
    "flashcards": ("too_many_items", lambda: b"Q: a\nA: b\n\n" * MANY),
    "gift": ("too_many_items", lambda: b"Which? {=a ~b}\n\n" * MANY),
    "letter_key": ("too_many_items", lambda: b"1. Which?\nA) a\nB) b\nAnswer: A\n\n" * MANY),
    "moodle-xml": ("too_many_items", lambda: document(MOODLE)),
    "qti-1.2": ("too_many_items", lambda: package('<item ident="a"/>', MANY)),
    "text2qti": ("too_many_items", lambda: b"1. Which?\n*a) a\nb) b\n\n" * MANY),
    "xlsx": ("too_many_cells", lambda: workbook(3_000, 100)),
}


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux counts a process's time")
@pytest.mark.parametrize("name", FULL)
def test_a_file_of_too_many_is_refused_in_two_seconds_of_cpu(name):
    code, make = FULL[name]
    data, slowness, seconds = make(), 1.0, list[float]()
    # The least of three, as `measure_cpu` takes it: a process beside this one slows a single try.
    for _ in range(3):
        slowness = max(slowness, measure_slowness())
        before = os.times()
        with changed_server():
            file, _ = reading_process.read(data, "a", format_=name)
        after = os.times()
        used = after.children_user + after.children_system
        seconds.append(used - before.children_user - before.children_system)
        # The process that reads is stopped by the clock of this machine, however slow that is.
        codes = {code} if slowness < SLOW else {code, "file_too_slow"}
        (error,) = file.parsed_file.errors
        if error.code in codes and seconds[-1] < (2 + START_SECONDS) * slowness:
            break
    assert error.code in codes
    assert error.line
    assert min(seconds) < (2 + START_SECONDS) * slowness
    assert {code} <= FILE_ERRORS.keys()


ITEMS = {
    "gift": b"First? {=a ~b}\n\nWhich? {=a" + b"~b" * 30_000 + b"}\n\nLast? {=a ~b}",
    "checklist": b"### First?\n- [x] a\n- [ ] b\n\n### Which?\n- [x] a\n" + b"- [ ] b\n" * 600
    + b"\n### Last?\n- [x] a\n- [ ] b\n",
}  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_of_too_many_options_is_refused_alone_with_its_line(name):
    first, refused, last = FORMATS[name].read(ITEMS[name], language="en").items
    assert (first.status, last.status) == (ImportStatus.IMPORTED, ImportStatus.IMPORTED)
    (note,) = [note for note in refused.notes if note.code == "too_many_options"]
    assert (refused.status, refused.question) == (ImportStatus.REFUSED, None)
    assert (note.line, note.detail) == (refused.line, {"maximum": READING_LIMITS.options})
    assert note.code in NOTES


def qti_item(choices: int) -> bytes:
    options = "".join(f'<simpleChoice identifier="c{n}">{n}</simpleChoice>' for n in range(choices))
    return (
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="a" title="a">'
        '<responseDeclaration identifier="r" cardinality="multiple" baseType="identifier"/>'
        f'<itemBody><choiceInteraction responseIdentifier="r">{options}</choiceInteraction>'
        "</itemBody></assessmentItem>"
    ).encode()


def moodle_item(answers: int) -> bytes:
    options = "".join(f'<answer fraction="0"><text>{n}</text></answer>' for n in range(answers))
    return f"<quiz>{MOODLE.replace('</question>', f'{options}</question>')}</quiz>".encode()


MANY_OPTIONS: dict[str, Callable[[int], bytes]] = {
    "checklist": lambda n: ("### Which?\n" + "".join(f"- [ ] o{i}\n" for i in range(n))).encode(),
    "gift": lambda n: f"Which? {{=a{''.join(f' ~o{i}' for i in range(n))}}}".encode(),
    "moodle-xml": moodle_item,
    "qti-2": qti_item,
}


@pytest.mark.parametrize("name", MANY_OPTIONS)
def test_too_many_options_are_refused_before_their_texts_are_read(name):
    files = {count: MANY_OPTIONS[name](count) for count in (450, 9_000)}
    (item,) = FORMATS[name].read(files[9_000], language="en").items
    assert [note.code for note in item.notes] == ["too_many_options"]
    few, many = measure_growth(
        lambda count: FORMATS[name].read(files[count], language="en"), (450, 9_000)
    )
    assert many < 12 * few, "twenty times as many"


def test_as_many_as_are_allowed_are_read():
    wrong = b"~b" * (READING_LIMITS.options - 1)
    (item,) = FORMATS["gift"].read(b"Which? {=a" + wrong + b"}", language="en").items
    assert item.question is not None


def test_a_workbook_is_opened_once_for_all_that_is_made_of_it(monkeypatch):
    opened = Mock(wraps=load_workbook)
    monkeypatch.setattr(workbook_reader, "load_workbook", opened)
    items = parse.parse_upload(workbook(7, 3), "a.xlsx").items
    assert {item.status for item in items} == {ImportStatus.REVIEW}
    assert opened.call_count == 1


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["", "xlsx", "kahoot"])
def test_a_workbook_without_a_header_is_refused_in_two_seconds_of_cpu(format_):
    books, files = iter([workbook(1_900 + n, 100) for n in range(3)]), list[ParsedFile]()
    seconds = measure_cpu(
        lambda: files.append(parse.parse_upload(next(books), "a.xlsx", format_=format_)), tries=3
    )
    for file in files:
        codes = [note.code for note in file.ignored_lines]
        assert (file.items, codes) == ((), ["sheet_without_header"])
    assert seconds < 2
