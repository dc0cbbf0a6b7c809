"""HTML with placeholders, filled in any order."""

import pytest

from quizzes.presentation.fragments import (
    END_RUN,
    Placeholders,
    compile_fragment,
    placeholder,
    shuffle_item,
)


def test_placeholders_are_filled_and_what_has_no_value_stays_empty():
    fragment = compile_fragment(
        f"<p>{placeholder('one')}-{placeholder('two')}-{placeholder('one')}</p>"
    )
    assert fragment.render({"one": "1"}) == "<p>1--1</p>"


def test_items_stand_in_the_order_that_is_asked_for():
    items = f"{shuffle_item('a')}<li>A{placeholder('x')}</li>{shuffle_item('b')}<li>B</li>{END_RUN}"
    html = f"<ul>{items}</ul>{placeholder('y')}"
    fragment = compile_fragment(html)
    assert fragment.render({"x": "!", "y": "?"}, ["b", "a"]) == "<ul><li>B</li><li>A!</li></ul>?"
    assert fragment.render({}, ["a"]) == "<ul><li>A</li></ul>"


def test_every_run_of_items_stands_in_that_order():
    first = f"<p>{shuffle_item('a')}A{placeholder('x')}{shuffle_item('b')}B{END_RUN}</p>"
    second = f"<p>{shuffle_item('b')}b{shuffle_item('a')}a{shuffle_item('c')}c{END_RUN}</p>"
    fragment = compile_fragment(f"{first}-{placeholder('x')}-{second}")
    assert fragment.render({"x": "!"}, ["c", "b", "a"]) == "<p>BA!</p>-!-<p>cba</p>"


def test_a_run_may_follow_another_at_once():
    fragment = compile_fragment(
        f"{shuffle_item('a')}A{shuffle_item('b')}B{END_RUN}{shuffle_item('a')}a{shuffle_item('b')}b{END_RUN}"
    )
    assert fragment.render({}, ["b", "a"]) == "BAba"


def test_an_item_that_does_not_exist_is_an_error_and_no_empty_place():
    with pytest.raises(KeyError):
        compile_fragment(f"{shuffle_item('a')}A{END_RUN}").render({}, ["b"])


def test_text_without_placeholders_stays_as_it_is():
    assert compile_fragment("<b>&amp;</b>").render({"b": "no"}) == "<b>&amp;</b>"


def test_what_fills_a_placeholder_is_not_read_for_placeholders_again():
    assert compile_fragment(f"<p>{placeholder('one')}</p>").render(
        {"one": placeholder("two"), "two": "2"}
    ) == (f"<p>{placeholder('two')}</p>")


def test_placeholders_are_there_by_any_name():
    assert Placeholders()["rows"] == placeholder("rows")
