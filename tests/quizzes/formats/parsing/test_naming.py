"""Names are slugs, each once, and the same whenever a file is read."""

import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.parsing.naming import Names, list_letters, slugify


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is it?", "what-is-it"),
        ("¿Qué año?", "que-ano"),
        ("  ", ""),
        ("日本", ""),
        ("a_b/c", "a-b-c"),
        ("word " * 30, "-".join(["word"] * 12)),
        ("x" * 80, "x" * 60),
    ],
)
def test_a_text_becomes_a_slug(text, expected):
    assert slugify(text) == expected


def test_the_first_name_that_leaves_anything_is_taken():
    names = Names()
    assert names.assign("", "??", "Second") == "second"
    assert names.assign("Second") == "second-2"
    assert names.assign("Second") == "second-3"
    assert names.assign("??") == "question"


@given(st.lists(st.text(max_size=80), max_size=20))
def test_every_name_is_a_slug_and_none_comes_twice(texts):
    names = Names()
    assigned = [names.assign(text) for text in texts]
    assert len(set(assigned)) == len(assigned)
    assert all(
        re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= 60 for name in assigned
    )


def test_letters_never_end():
    assert list(islice(list_letters(), 24, 28)) == ["y", "z", "a2", "b2"]
