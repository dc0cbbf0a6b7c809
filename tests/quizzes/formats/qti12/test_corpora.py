"""Others' files of QTI 1.2, where they stand beside the project: each item is accounted for."""

import csv

import pytest

from quizzes.document import find_problems
from quizzes.formats import qti12
from quizzes.formats.contract import ImportStatus
from tests.grading.examples import PROJECT
from tests.quizzes.imports.questions import item

CORPORA = PROJECT.parent / "shared" / "corpora"
OTHERWISE = {
    "ordering.xml": (0, "it has a document type with declarations of its own, refused unread"),
    "test_qti_1.2.zip": (3, "the index counts no items within packages of others"),
    "readme-examples.zip": (11, "a text between questions is an item there, and told as refused"),
}
REFUSED = {
    "calculated_question": "calculated",
    "file_upload_question": "file_upload",
    "text_only_question": "text_only",
}
PICTURES_LEFT_OUT = {"picture_elsewhere", "picture_without_words", "element_dropped"}
THERE_TOO = {
    "essay": {"rubric_missing"},
    "numeric": {"never_reached"},  # one file accepts a range, and then a narrower one
}
"""What the files leave open; names of media become those of ours when they are imported."""


def listed() -> list[tuple[str, int]]:
    index = CORPORA / "INDEX.tsv"
    if not index.exists():
        return []
    with index.open(encoding="utf-8") as rows:
        return [
            (row["path"], int(row["items"]))
            for row in csv.DictReader(rows, delimiter="\t")
            if row["format"] == "qti12"
        ]


@pytest.mark.parametrize(("path", "items"), listed())
def test_every_item_of_a_file_has_its_verdict(path, items):
    parcel = qti12.read((CORPORA / path).read_bytes())
    expected, _reason = OTHERWISE.get(path.rpartition("/")[2], (items, ""))
    assert len(parcel.items) == sum(parcel.counts().values()) == expected
    doubtful = [item for item in parcel.items if item.status == ImportStatus.REVIEW]
    assert {note.code for item in doubtful for note in item.notes} <= PICTURES_LEFT_OUT
    refused = {item.kind: item.notes[0].code for item in parcel.items if item.question is None}
    assert refused.items() <= REFUSED.items()


@pytest.mark.parametrize(("path", "items"), listed())
def test_what_is_imported_can_be_published(path, items):
    for question in qti12.read((CORPORA / path).read_bytes(), language="en").questions:
        problems = {str(problem.code) for problem in find_problems(item(question))}
        assert problems <= THERE_TOO.get(question.kind, set()) | {"media_malformed"}, question.name


def test_the_file_with_a_document_type_says_why_it_is_kept_out():
    for path, _ in listed():
        if path.endswith("ordering.xml"):
            (trouble,) = qti12.read((CORPORA / path).read_bytes()).errors
            assert trouble.code == "doctype"
