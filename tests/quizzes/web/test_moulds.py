"""Moulds: text with gaps, filled in any order."""

import pytest

from quizzes.web.moulds import REST, Gaps, cast, gap, part


def test_gaps_are_filled_and_what_has_no_value_stays_empty():
    mould = cast(f"<p>{gap('one')}-{gap('two')}-{gap('one')}</p>")
    assert mould.fill({"one": "1"}) == "<p>1--1</p>"


def test_parts_stand_in_the_order_that_is_asked_for():
    html = f"<ul>{part('a')}<li>A{gap('x')}</li>{part('b')}<li>B</li>{REST}</ul>{gap('y')}"
    mould = cast(html)
    assert mould.fill({"x": "!", "y": "?"}, ["b", "a"]) == "<ul><li>B</li><li>A!</li></ul>?"
    assert mould.fill({}, ["a"]) == "<ul><li>A</li></ul>"


def test_every_run_of_parts_stands_in_that_order():
    first = f"<p>{part('a')}A{gap('x')}{part('b')}B{REST}</p>"
    second = f"<p>{part('b')}b{part('a')}a{part('c')}c{REST}</p>"
    mould = cast(f"{first}-{gap('x')}-{second}")
    assert mould.fill({"x": "!"}, ["c", "b", "a"]) == "<p>BA!</p>-!-<p>cba</p>"


def test_a_run_may_follow_another_at_once():
    mould = cast(f"{part('a')}A{part('b')}B{REST}{part('a')}a{part('b')}b{REST}")
    assert mould.fill({}, ["b", "a"]) == "BAba"


def test_a_part_that_does_not_exist_is_an_error_and_no_empty_place():
    with pytest.raises(KeyError):
        cast(f"{part('a')}A{REST}").fill({}, ["b"])


def test_text_without_gaps_stays_as_it_is():
    assert cast("<b>&amp;</b>").fill({"b": "no"}) == "<b>&amp;</b>"


def test_what_fills_a_gap_is_not_read_for_gaps_again():
    assert cast(f"<p>{gap('one')}</p>").fill({"one": gap("two"), "two": "2"}) == (
        f"<p>{gap('two')}</p>"
    )


def test_gaps_are_there_by_any_name():
    assert Gaps()["rows"] == gap("rows")
