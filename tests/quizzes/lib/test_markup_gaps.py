"""Gaps stand where their marks stood, in tables and in code too."""

import pytest

from quizzes.lib.markup import missing, render, render_with_gaps

MARKS = {"verb": "id-1", "2": "id-2"}
GAP = '<span class="gap" data-gap="id-1"></span>'


def test_a_mark_becomes_a_gap():
    assert render_with_gaps("She [[verb]] home.", MARKS).strip() == f"<p>She {GAP} home.</p>"


def test_without_marks_brackets_are_brackets():
    text = "if [[ -f x ]]; [[verb]]"
    assert render_with_gaps(text, {}) == render(text)


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|---|---|\n| x | [[verb]] |",
        "```python\nfor x in [[verb]]:\n    print(x)\n```",
        "`[[verb]]`",
        "**[[verb]]**, [[2]]",
        "- one\n- [[verb]]",
    ],
)
def test_a_gap_may_stand_in_tables_code_and_lists(text):
    assert render_with_gaps(text, MARKS).count(GAP) == 1


def test_a_bracket_that_is_no_mark_stays_text():
    assert "[[noun]]" in render_with_gaps("[[verb]] and [[noun]]", MARKS)


def test_no_gap_stands_inside_an_attribute():
    html = render_with_gaps('[x](https://example.org "[[verb]]")', MARKS)
    assert GAP not in html
    assert "[[verb]]" in html


def test_the_word_that_stands_in_never_shows():
    html = render_with_gaps("Gapword0Z Gapwordx [[verb]] [[2]] [[verb]]", MARKS)
    assert html.count(GAP) == 2
    assert "Gapword0Z Gapwordx" in html
    assert "Gapwordxx" not in html


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[[verb]] [[2]]", ()),
        ("[[verb]]", ("2",)),
        ("[[verb]] [[2]] [[2]]", ("2",)),
        ('[[verb]] [x](https://example.org "[[2]]")', ("2",)),
        ("[[verb]] $\\frac{[[2]]}{3}$", ("2",)),
        ("", ("verb", "2")),
    ],
)
def test_what_is_missing_or_twice_is_named(text, names):
    assert missing(text, MARKS) == names


def test_an_id_cannot_leave_its_attribute():
    assert '"><b>' not in render_with_gaps("[[verb]]", {"verb": '"><b>'})
