"""Plain texts of several formats look alike; each is claimed by its own."""

from pathlib import Path

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import Note
from quizzes.formats.detection import detect_format
from quizzes.presentation.messages.import_notes import NOTES

PROJECT = Path(__file__).parents[3]
OWN = PROJECT / "fixtures" / "formats"
SEEDS = PROJECT.parent / "shared" / "seeds"
NAMES = ("transcript", "checklist", "text2qti", "letter_key")
SEEDED = {"000": "transcript", "001": "transcript", "002": "transcript", "003": "checklist"}
FILES = [(name, file) for name in NAMES for file in sorted((OWN / name).iterdir())]


@pytest.mark.parametrize(("name", "file"), FILES, ids=[file.name for _, file in FILES])
def test_a_file_is_claimed_by_its_own_format(name, file):
    assert detect_format(file.read_bytes(), file.name) is FORMATS[name]


@pytest.mark.parametrize(("name", "file"), FILES, ids=[file.name for _, file in FILES])
def test_what_is_noted_has_its_sentence(name, file):
    parcel = FORMATS[name].read(file.read_bytes())
    notes: list[Note] = [
        *parcel.ignored_lines,
        *(note for item in parcel.items for note in item.notes),
    ]
    assert {note.code for note in notes} <= NOTES.keys()
    assert all(len(note.quote) <= 200 for note in notes)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the documents stand beside the project")
@pytest.mark.parametrize(("number", "name"), SEEDED.items())
def test_the_seeds_are_claimed(number, name):
    file = next(SEEDS.glob(f"{number}_*.txt"))
    assert detect_format(file.read_bytes(), file.name) is FORMATS[name]
