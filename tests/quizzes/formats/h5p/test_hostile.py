"""Packages made to hurt are refused within two seconds, or come to nothing."""

import json
import time

import pytest

from quizzes.formats import h5p
from quizzes.formats.contract import ParsedFile
from quizzes.formats.parsing import json_tree
from quizzes.formats.parsing.packages import write_zip
from tests.quizzes.formats.h5p import packages

ABOUT = b'{"mainLibrary": "H5P.QuestionSet", "language": "en"}'


def read(data: bytes) -> ParsedFile:
    """Read within two seconds of work, however busy the machine is with other things."""
    began = time.process_time()
    parcel = h5p.read(data)
    assert time.process_time() - began < 2
    return parcel


@pytest.mark.parametrize(
    ("data", "code", "member"),
    [
        (b"PK\x03\x04", "package_damaged", ""),
        (write_zip([("h5p.json", ABOUT)]), "member_missing", "content/content.json"),
        (write_zip([("content/content.json", b"{}")]), "member_missing", "h5p.json"),
        (packages.raw(ABOUT, b"[" * 100_000), "not_json", "content/content.json"),
        (packages.raw(b"{", b"{}"), "not_json", "h5p.json"),
        (packages.raw(ABOUT, b"[" + b"{}," * 200_000 + b"{}]"), "not_json", "content/content.json"),
    ],
)
def test_what_cannot_be_read_keeps_the_file_out(data, code, member):
    [trouble] = read(data).errors
    assert (trouble.code, trouble.where) == (code, member)


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"null",
        b'"text"',
        b'{"questions": {"0": 1}}',
        b'{"questions": [1, null, [], {"library": 3, "params": []}]}',
        b'{"questions": [{"library": "H5P.MultiChoice", "params": {"answers": [1, {}]}}]}',
        b'{"questions": [{"library": "H5P.Blanks", "params": {"questions": [1, {}]}}]}',
    ],
)
def test_values_of_other_forms_are_nothing(content):
    parcel = read(packages.raw(ABOUT, content))
    assert parcel.errors == ()
    assert {item.status for item in parcel.items} <= {"refused", "needs_review"}


@pytest.mark.parametrize("text", ["*", "*a*", "*a:", "\\(", "<p>*", "*/", "&amp;*"])
def test_texts_full_of_marks_end(text):
    params = {"questions": [{"library": "H5P.Blanks", "params": {"questions": [text * 30_000]}}]}
    assert len(read(packages.raw(ABOUT, json.dumps(params).encode())).items) == 1


def test_what_would_grow_too_large_laid_out_stays_on_its_line(monkeypatch):
    content = json.dumps({"questions": [{"library": "H5P.X"}] * 9}).encode()
    monkeypatch.setattr(json_tree, "BIGGEST", len(content))
    assert [item.end_line for item in read(packages.raw(ABOUT, content)).items] == [1] * 9


def test_sets_within_sets_end():
    inner: dict[str, object] = {"library": "H5P.TrueFalse", "params": {"correct": "true"}}
    for _ in range(18):
        inner = {"library": "H5P.QuestionSet", "params": {"questions": [inner, inner][:1]}}
    parcel = read(packages.raw(ABOUT, json.dumps(inner["params"]).encode()))
    assert [item.kind for item in parcel.items] == ["true_false"]


def test_many_questions_are_read_in_time():
    content = {"library": "H5P.TrueFalse", "params": {"question": "Wet?", "correct": "true"}}
    parcel = read(packages.raw(ABOUT, json.dumps({"questions": [content] * 1_000}).encode()))
    assert len(parcel.items) == 1_000
    assert len({item.name for item in parcel.items}) == 1_000
