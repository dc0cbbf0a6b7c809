"""What a key names among options, and what one of 300 kB costs."""

from time import process_time

import pytest

from quizzes.formats.parsing.answer_names import find_named_options

RIVERS = [("a", "Tajo"), ("b", "Ebro, en Zaragoza"), ("c", "Duero")]
LENGTH = 300_000
MOST_SECONDS = 0.5


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("Tajo<br><br />", {0}),
        ("a) Tajo and c) Duero", {0, 2}),
        ("Tajo, Duero", {0, 2}),
        ("Duero and Tajo", {0, 2}),
        ("Ebro, en Zaragoza, Tajo", {0, 1}),
        ("Duero, Miño", set()),
    ],
)
def test_texts_and_names_are_found(key: str, named: set[int]):
    assert find_named_options(RIVERS, key)[0] == named


@pytest.mark.parametrize(
    "part",
    ["A, B, ", "Tajo, ", "A and ", "a) Tajo ", "<br>", "option A, ", "1,", "A ", ",", " ", "Ebro,"],
)
def test_a_long_key_is_read_once(part: str):
    key = part * (LENGTH // len(part)) + "x"
    start = process_time()
    find_named_options(RIVERS, key)
    assert process_time() - start < MOST_SECONDS
