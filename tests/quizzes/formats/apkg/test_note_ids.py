"""A note is known again by its mark, whatever becomes of its words."""

import pytest

from quizzes.formats.apkg.note_ids import build_note_id, name_note, read_language


def test_our_own_marks_lead_back():
    mark = build_note_id("rivers", "minho-2", "es")
    assert (name_note(mark), read_language(mark)) == ("minho-2", "es")


@pytest.mark.parametrize("guid", ["gZ?dP{%", "", "Ab", "a" * 61, "\ud800", "ochenta:r/m"])
def test_other_marks_become_names(guid):
    name = name_note(guid)
    assert name.startswith("anki-")
    assert len(name) == 17
    assert name_note(guid) == name
    assert read_language(guid) == ""


def test_marks_that_are_names_stay():
    assert name_note("b2") == "b2"


def test_marks_that_differ_in_capitals_only_stay_apart():
    assert name_note("aB") != name_note("ab")
    assert name_note("AB") != name_note("Ab")
