"""Every code that a format notes has its sentence."""

import re
from pathlib import Path

import pytest

from quizzes.exchange import sayings

EXCHANGE = Path(sayings.__file__).parent
NOTED = re.compile(
    r"\.(?:note|repaired|review|refused)\(\s*\"([a-z0-9_]+)\"|\bNote\(\s*\"([a-z0-9_]+)\""
)
LOST = re.compile(r"\b(?:lose|Loss)\((?:[\w.]+, )?\s*\"([a-z0-9_]+)\"")


def codes(pattern: re.Pattern[str], *places: str) -> set[str]:
    files = (file for place in places for file in EXCHANGE.glob(place))
    found = (
        match for file in files for match in pattern.finditer(file.read_text(encoding="utf-8"))
    )
    return {next(filter(None, match.groups())) for match in found}


@pytest.mark.parametrize(
    "places", [("formats/moodle/*.py",), ("reading/html/*.py", "reading/decoding.py")]
)
def test_every_note_has_a_sentence(places):
    noted = codes(NOTED, *places)
    assert noted
    assert noted <= sayings.NOTES.keys()


def test_every_loss_has_a_sentence():
    lost = codes(LOST, "formats/moodle/*.py")
    assert len(lost) > 15
    assert lost <= sayings.LOSSES.keys()


@pytest.mark.parametrize("said", [*sayings.NOTES.values(), *sayings.LOSSES.values()])
def test_a_sentence_is_one(said):
    assert str(said)[0].isupper()
    assert str(said).endswith(".")
