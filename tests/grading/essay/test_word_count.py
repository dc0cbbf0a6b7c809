"""What a word is, in any script, and the limits that are told but not enforced."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.essay.word_count import WordLimits, count_words, load_limits

COUNTED = [
    ("", 0),
    ("  \n\t ", 0),
    ("one", 1),
    ("one two\nthree\tfour", 4),
    ("Don't", 1),
    ("don\N{RIGHT SINGLE QUOTATION MARK}t", 1),
    ("vis-à-vis", 1),
    ("'quoted' words", 2),
    ("a -- b", 2),
    ("well- known", 2),
    ("3.14 and 1,000", 5),
    ("¿Qué? ¡Qué!", 2),
    ("snake_case", 2),
    ("cafe\N{COMBINING ACUTE ACCENT} au lait", 3),
    ("हिन्दी में", 2),
    ("… – — · !", 0),
    ("x² + 1", 2),
]


@pytest.mark.parametrize(("text", "words"), COUNTED)
def test_words_are_runs_of_letters_and_digits_joined_inside(text, words):
    assert count_words(text) == words


@given(st.lists(st.from_regex(r"[a-zà-öø-ü0-9]{1,8}(['’-][a-z]{1,4}){0,2}", fullmatch=True)))
def test_words_between_blanks_are_as_many_as_they_are(words):
    assert count_words(" ".join(words)) == len(words)


@given(st.text(), st.text())
def test_texts_set_apart_have_the_words_of_both(first, other):
    assert count_words(f"{first} {other}") == count_words(first) + count_words(other)


@pytest.mark.parametrize("text", ["a-" * 25_000, "-" * 50_000, "a'" * 25_000, "ab " * 16_000])
def test_the_longest_text_is_counted_in_a_moment(text):
    began = time.process_time()
    count_words(text)
    assert time.process_time() - began < 1


def test_limits_that_are_not_set_hold_nobody():
    assert (
        load_limits({}) == load_limits({"minimum_words": 0, "maximum_words": None}) == WordLimits()
    )
    assert load_limits({"minimum_words": "5", "maximum_words": True}) == WordLimits()
    assert WordLimits().find_violation(0) == ""


@pytest.mark.parametrize(
    ("words", "expected"), [(4, "too_few"), (5, ""), (9, ""), (10, "too_many")]
)
def test_it_is_told_how_a_text_misses_its_limits(words, expected):
    assert load_limits({"minimum_words": 5, "maximum_words": 9}).find_violation(words) == expected
