"""A note is known again by its mark, whatever becomes of its words."""

import pytest

from quizzes.formats.apkg.guids import called, language_of, marked


def test_our_own_marks_lead_back():
    mark = marked("rivers", "minho-2", "es")
    assert (called(mark), language_of(mark)) == ("minho-2", "es")


@pytest.mark.parametrize("guid", ["gZ?dP{%", "", "Ab", "a" * 61, "\ud800", "ochenta:r/m"])
def test_other_marks_become_names(guid):
    name = called(guid)
    assert name.startswith("anki-")
    assert len(name) == 17
    assert called(guid) == name
    assert language_of(guid) == ""


def test_marks_that_are_names_stay():
    assert called("b2") == "b2"


def test_marks_that_differ_in_capitals_only_stay_apart():
    assert called("aB") != called("ab")
    assert called("AB") != called("Ab")
