"""Reading a text: one line, composed, bounded, and never told back in a refusal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.short_text.parsing import MAXIMUM, parse_text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  a b ", "a b"),
        ("a\r\nb", "a b"),
        ("a\u2028b\u0085c\vd", "a b c d"),
        ("e\u0301", "\u00e9"),
        ("a  b", "a  b"),
        ("a\u200db", "a\u200db"),
        ("x" * MAXIMUM, "x" * MAXIMUM),
        ("e\u0301" * MAXIMUM, "\u00e9" * MAXIMUM),
        (f"{'x' * MAXIMUM} \n ", "x" * MAXIMUM),
    ],
)
def test_a_text_is_read_in_one_form(raw, text):
    assert parse_text(raw) == text


@pytest.mark.parametrize("raw", [None, "", " ", "\n\t", "\u00a0\u3000", "\u200b\ufeff", "\u00ad "])
def test_what_nobody_can_see_is_no_answer(raw):
    assert parse_text(raw) is None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (1, "not_a_text"),
        (True, "not_a_text"),
        (["a"], "not_a_text"),
        ({"text": "a"}, "not_a_text"),
        ("a\0b", "control_character"),
        ("a\x1bb", "control_character"),
        ("a\x7fb", "control_character"),
        ("a\ud800b", "control_character"),
        ("x" * (MAXIMUM + 1), "text_too_long"),
        ("\u0958" * MAXIMUM, "text_too_long"),  # becomes two letters when composed
        (" " * (4 * MAXIMUM + 1), "text_too_long"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_code_and_place(raw, code):
    refused = parse_text(raw, where="gaps.g1.text")
    assert isinstance(refused, InvalidAnswer)
    assert (refused.code, refused.detail["where"]) == (code, "gaps.g1.text")


def test_a_refusal_says_how_long_a_text_may_be_and_nothing_of_it():
    refused = parse_text("secret" * 1000)
    assert refused == InvalidAnswer("text_too_long", {"where": "text", "maximum": MAXIMUM})


@given(st.text())
def test_reading_what_was_read_gives_it_again(raw):
    once = parse_text(raw)
    if isinstance(once, str):
        assert parse_text(once) == once
