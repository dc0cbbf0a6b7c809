"""What a cell calls right is read where it can mean one thing only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.spreadsheet.answers import (
    RightOptions,
    parse_right_options,
    write_right_options,
)

WORDS = {"a": ["Tagus", "Tajo"], "b": ["Ebro"], "c": ["Douro; upper"], "d": ["none of them"]}
DIGITS = {"a": ["1"], "b": ["3"], "c": ["2"]}


@pytest.mark.parametrize(
    ("cell", "right"),
    [
        ("A", "a"),
        (" b ", "b"),
        ("A, C", "ac"),
        ("a;c", "ac"),
        ("1;3", "ac"),
        ("A C", "ac"),
        ("AC", "ac"),
        ("a) and b)", "ab"),
        ("A y B", "ab"),
        ("(A)/(B)", "ab"),
        ("Option B", "b"),
        ("opción 2", "b"),
        ("Respuesta A, B", "ab"),
        ("tajo", "a"),
        ("TAGUS", "a"),
        ("Tajo; Ebro", "ab"),
        ("Tajo\nEbro", "ab"),
        ("Douro;  upper", "c"),
        ("A\nB", "ab"),
    ],
)
def test_letters_numbers_and_words_name_options(cell, right):
    assert parse_right_options(cell, WORDS) == RightOptions(frozenset(right))


@pytest.mark.parametrize(
    ("cell", "code", "right"),
    [
        ("", "key_unknown", ""),
        ("  ", "key_unknown", ""),
        ("E", "answer_unknown", ""),
        ("0", "answer_unknown", ""),
        ("99", "answer_unknown", ""),
        ("A, E", "answer_unknown", "a"),
        ("Rhine", "answer_unknown", ""),
        ("Tajo; Rhine", "answer_unknown", ""),
        ("BAD", "answer_unknown", ""),
        ("AA", "answer_unknown", ""),
    ],
)
def test_what_names_no_option_is_told(cell, code, right):
    options = {letter: WORDS[letter] for letter in "abc"}
    assert parse_right_options(cell, options) == RightOptions(frozenset(right), code=code)


def test_a_place_that_is_the_words_of_another_is_no_answer():
    assert parse_right_options("3", DIGITS).code == "answer_ambiguous"
    assert parse_right_options("2", DIGITS).code == "answer_ambiguous"
    assert parse_right_options("1", DIGITS) == RightOptions(frozenset("a"))
    assert parse_right_options("A", {"a": ["B"], "b": ["A"]}).code == "answer_ambiguous"


def test_a_number_that_was_a_list_is_told():
    assert parse_right_options("1.3", WORDS) == RightOptions(frozenset("ac"), code="number_as_list")
    assert parse_right_options("1.3", {**WORDS, "b": ["1.3"]}).code == "answer_ambiguous"


def test_that_none_is_right_can_be_said_in_both_languages():
    assert (
        parse_right_options("none", WORDS)
        == parse_right_options("Ninguna", WORDS)
        == RightOptions(none=True)
    )
    assert parse_right_options("none", {"a": ["None"], "b": ["All"]}) == RightOptions(
        frozenset("a")
    )


OPTIONS = st.dictionaries(
    st.sampled_from("abcdefg"),
    st.lists(st.text("abcABC123 none),", max_size=5), min_size=1),
    min_size=1,
)


@given(OPTIONS, st.data())
def test_what_is_written_is_read_back(options, data):
    right = sorted(data.draw(st.sets(st.sampled_from(sorted(options)))))
    letters_again = parse_right_options(write_right_options(right, options), options)
    if letters_again.code or letters_again.none == bool(
        right
    ):  # every form means another option, too
        assert any(")" in word or "none" in word for words in options.values() for word in words)
    else:
        assert letters_again.letters == {*right}


def test_forms_that_mean_another_option_are_not_written():
    options = {"a": ["B"], "b": ["A"]}
    assert write_right_options(["a"], options) == "A)"
    assert parse_right_options("A)", options) == RightOptions(frozenset("a"))
    assert write_right_options([], {"a": ["none"]}) == "ninguna"
    everything = {"a": ["B"], "b": ["A", "A)", "option A"]}
    assert write_right_options(["a"], everything) == "A"
