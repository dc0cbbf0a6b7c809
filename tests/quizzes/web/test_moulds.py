"""Moulds: text with gaps, filled in any order."""

import pytest

from quizzes.web.moulds import REST, cast, gap, part


def test_gaps_are_filled_and_what_has_no_value_stays_empty():
    mould = cast(f"<p>{gap('one')}-{gap('two')}-{gap('one')}</p>")
    assert mould.fill({"one": "1"}) == "<p>1--1</p>"


def test_parts_stand_in_the_order_that_is_asked_for():
    html = f"<ul>{part('a')}<li>A{gap('x')}</li>{part('b')}<li>B</li>{REST}</ul>{gap('y')}"
    mould = cast(html)
    assert mould.fill({"x": "!", "y": "?"}, ["b", "a"]) == "<ul><li>B</li><li>A!</li></ul>?"
    assert mould.fill({}, ["a"]) == "<ul><li>A</li></ul>"


def test_a_part_that_does_not_exist_is_an_error_and_no_empty_place():
    with pytest.raises(KeyError):
        cast(f"{part('a')}A{REST}").fill({}, ["b"])


def test_text_without_gaps_stays_as_it_is():
    assert cast("<b>&amp;</b>").fill({"b": "no"}) == "<b>&amp;</b>"
