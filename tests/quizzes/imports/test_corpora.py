"""Other people's files, through the door that everybody's file comes in by: nothing vanishes.

Where the corpora stand beside the project, each of their files is opened by what it is, not by a
format that we name; its items have one verdict each, and are as many as the index says.
"""

import csv
from collections import Counter
from typing import Final

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.formats.detection import detect_format
from quizzes.imports import source_excerpts
from quizzes.imports.parse import parse_upload
from quizzes.presentation.messages.import_notes import NOTES
from tests.grading.examples import PROJECT
from tests.quizzes.imports.example_files import corpus_examples

CORPORA: Final = PROJECT.parent / "shared" / "corpora"

OTHERWISE: Final = {
    # The index leaves out the region of text, which is an item of the package: refused, and told.
    "qti12/_text2qti-output/readme-examples.zip": 11,
    # Its document type declares things inside, as bombs do: the whole file is refused, and says so.
    "qti12/instructure+qti/spec/fixtures/items_1.2/ordering.xml": 0,
    # The index has no count for this package.
    "qti12/instructure+qti/spec/fixtures/test_qti_1.2.zip": 3,
    # A manual, but the examples in it are questions.
    "text2qti/gpoore+text2qti/README.md": 18,
}


def indexed() -> dict[str, int]:
    """How many items each file has; what is there to check them by (cases, trees) is no bank."""
    with (CORPORA / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    counts = {row["path"]: int(row["items"] or 0) for row in rows}
    counts |= OTHERWISE
    banks = {path for path, count in counts.items() if count and not path.endswith("cases.json")}
    return {path: counts[path] for path in sorted(banks | OTHERWISE.keys())}


@pytest.fixture(scope="module")
def parcels() -> dict[str, ParsedFile]:
    if not CORPORA.is_dir():
        return {}
    paths = [CORPORA / path for path in indexed()]
    return {
        str(path.relative_to(CORPORA)): parse_upload(path.read_bytes(), path.name) for path in paths
    }


def test_every_item_of_the_index_has_its_verdict(parcels):
    counted = {path: sum(parcel.counts().values()) for path, parcel in parcels.items()}
    assert not parcels or counted == indexed()


def test_a_whole_file_is_refused_with_its_line_only_if_it_declares_things(parcels):
    refused = {
        path: parsed_file.errors for path, parsed_file in parcels.items() if parsed_file.errors
    }
    assert {path.rpartition("/")[2] for path in refused} <= {"ordering.xml"}
    assert all(
        trouble.line and trouble.message for errors in refused.values() for trouble in errors
    )


def test_what_is_not_as_it_stands_says_why_and_where(parcels):
    silent = [
        (path, item.name)
        for path, parcel in parcels.items()
        for item in parcel.items
        if item.status != ImportStatus.IMPORTED and not item.notes
    ]
    assert silent == []


def test_the_lines_of_every_item_can_be_shown_beside_it():
    for example in corpus_examples():
        form = detect_format(example.data, example.name)
        if form is None or (parcel := parse_upload(example.data, example.name)).errors:
            continue
        lines = source_excerpts.line_source(example.data, form.name)
        assert all(source_excerpts.item_excerpt(lines, item).strip() for item in parcel.items), (
            example.name
        )


def test_every_word_on_an_item_is_a_sentence(parcels):
    codes = Counter(
        note.code
        for parcel in parcels.values()
        for note in (
            *parcel.ignored_lines,
            *(note for item in parcel.items for note in item.notes),
        )
    )
    assert codes.keys() <= NOTES.keys()
