"""Examples of a key are graded as answers are, and show what its sort ignores."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.short_text.automaton import compile_pattern
from grading.short_text.examples import (
    CHANGES,
    PATTERN_CHANGES,
    PATTERN_TEXTS,
    STAR_CHANGES,
    list_examples,
    score_text,
)
from grading.short_text.pattern import PatternError
from grading.short_text.pattern_texts import list_pattern_texts
from grading.short_text.row_matching import find_match
from grading.short_text.sorts import SORTS
from grading.short_text.structure import AcceptedText


def changes(key: str, sort: str) -> dict[str, bool]:
    examples = list_examples((AcceptedText("a", key),), SORTS[sort])
    return {example.change: example.credit is not None for example in examples}


@pytest.mark.parametrize(
    ("key", "sort", "accepted", "refused"),
    [
        ("Perú", "words", {"as_written", "other_case", "full_stop"}, {"without_accents"}),
        ("a != b", "words", {"more_blanks"}, {"sign_left_out", "without_blanks"}),
        ("a != b", "code", {"blanks_around"}, {"other_case", "more_blanks", "sign_left_out"}),
        ("a+b", "formula", {"blanks_at_operators"}, {"other_case", "full_stop", "sign_left_out"}),
        ("[1, 2]", "words", {"full_stop"}, {"other_brackets"}),
        ('"a"', "exact_text", {"as_written"}, {"blanks_around", "other_quotes"}),
        ('"a"', "code", {"other_quotes"}, {"sign_left_out"}),
        ("0.5", "number", {"other_number", "full_stop"}, {"sign_left_out"}),
    ],
)
def test_examples_show_what_a_sort_accepts_and_refuses(key, sort, accepted, refused):
    example_changes = changes(key, sort)
    assert {change for change, credited in example_changes.items() if credited} >= accepted
    assert {change for change, credited in example_changes.items() if not credited} >= refused


@given(st.text('aÉ 1.!-["*', min_size=1, max_size=12), st.sampled_from(sorted(SORTS)))
def test_each_example_is_what_grading_says_of_it(key, sort):
    rows = (AcceptedText("a", key, Fraction(1, 2)),)
    for example in list_examples(rows, SORTS[sort]):
        assert example.change in {*CHANGES, *STAR_CHANGES}
        assert example.credit == score_text(example.text, rows, SORTS[sort])
        accepted = find_match(rows, SORTS[sort], example.text.strip())
        assert example.credit in {None, Fraction(1, 2)}
        assert accepted is None or example.credit or example.text != example.text.strip()


def test_what_cannot_be_typed_is_none_of_the_accepted_answers():
    rows = (AcceptedText("a", "a"),)
    assert score_text("   ", rows, SORTS["words"]) is None
    assert score_text("a\x07", rows, SORTS["words"]) is None


def test_a_number_that_is_tried_is_read_in_both_ways():
    rows = (AcceptedText("a", "3.125"),)
    assert (
        score_text("3.125", rows, SORTS["number"])
        == score_text("3,125", rows, SORTS["number"])
        == 1
    )
    assert score_text("4.125", rows, SORTS["number"]) is None


def test_wrong_answers_have_no_examples():
    assert list_examples((AcceptedText("w", "Lyon", Fraction(0)),), SORTS["words"]) == ()


@pytest.mark.parametrize(
    ("pattern", "sort", "accepted", "refused"),
    [
        (r"colou?r", "words", {"color", "colour", "COLOUR"}, {"abccolour", "colourabc"}),
        (r"colou?r", "code", {"color", "colour"}, {"COLOUR"}),
        (r"[x-z]{2,3}(\+\d|-\w)", "words", {"xx+1", "xx-a", "XX-A"}, {"xxa"}),
        (r"(one|two){0}\.[^a1]*", "words", {". ", "."}, {"abc. "}),
        (r".*", "words", {"a", "A", "abca"}, set()),
        (r"\S[\s]\D", "exact_text", {"a a"}, {"a aabc"}),
    ],
)
def test_examples_show_what_a_regular_expression_takes_and_what_it_does_not(
    pattern, sort, accepted, refused
):
    rows = (AcceptedText("a", pattern, pattern=True),)
    examples = list_examples(rows, SORTS[sort])
    assert {example.text for example in examples if example.credit} >= accepted - {"."}
    assert {example.text for example in examples if not example.credit} >= refused
    names = {*PATTERN_TEXTS, *PATTERN_CHANGES}
    assert {example.change for example in examples} <= names


@given(st.from_regex(r"(\(?[a-c.\[\]|?*+{},0-9]\)?){1,12}", fullmatch=True))
def test_the_texts_of_a_regular_expression_are_ones_that_it_takes(pattern):
    for sort in (SORTS["exact_text"], SORTS["words"]):
        with suppress(PatternError):
            automaton = compile_pattern(pattern, sort)
            for text in list_pattern_texts(pattern, sort):
                assert automaton.matches(text)
                assert len(text) <= automaton.states


@pytest.mark.parametrize(
    ("key", "accepted", "refused"),
    [
        ("v1.*", {"v1.abc", "v1.", "V1.ABC", "v1.abcabc"}, {"v1abc", "abcv1.abc"}),
        ("n*-1", {"nabc-1", "n-1", "NABC-1"}, {"nabc1", "abcnabc-1", "nabc-1abc"}),
        ("*", {"abc", "ABC", "abcabc"}, set()),
        (r"2\**", {"2*abc", "2*", "2*abcabc"}, {"2abc", "abc2*abc"}),
    ],
)
def test_examples_show_what_a_star_takes_and_what_it_does_not(key, accepted, refused):
    examples = list_examples((AcceptedText("a", key),), SORTS["words"])
    assert {example.text for example in examples if example.credit} >= accepted
    assert {example.text for example in examples if not example.credit} >= refused
    texts = {example.text for example in list_examples((AcceptedText("a", key),), SORTS["code"])}
    assert key in texts  # there it is a sign


def test_no_text_stands_twice_and_only_a_few_keys_are_shown():
    rows = tuple(AcceptedText(f"r{n}", f"Word {n}") for n in range(100))
    examples = list_examples(rows, SORTS["words"])
    texts = [example.text for example in examples]
    assert len(texts) == len(set(texts)) <= 3 * len(CHANGES)
    assert [text for text in texts if text in {row.text for row in rows}] == [
        "Word 0",
        "Word 1",
        "Word 2",
    ]
