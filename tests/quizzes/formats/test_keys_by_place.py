"""Keys of lettered lists that are no letter, and lists without any key."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.formats.detection import detect_formats
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import list_codes, list_options

CAPITALS = [("Bonn", "Berlin", "Mainz"), ("Paris", "Lyon", "Nice"), ("Bari", "Turin", "Rome")]
PLACES = (2, 1, 3)


@pytest.mark.parametrize(
    "option", ["{letter}) {text}", "- {letter}. {text}", "- {text}", "{number}) {text}"]
)
@pytest.mark.parametrize(
    "key", ["Answer: {number}", "**Answer:** {text}", "Respuesta: {text}", "Ans: {letter}"]
)
@pytest.mark.parametrize("prompt", ["**{}. Which is the capital?**", "Which is the capital?"])
def test_a_key_is_a_letter_a_number_or_the_text_of_an_option(prompt, key, option):
    page = ""
    for count, (texts, right) in enumerate(zip(CAPITALS, PLACES, strict=True), start=1):
        lines = [
            option.format(letter="ABC"[at], number=at + 1, text=text)
            for at, text in enumerate(texts)
        ]
        named = key.format(letter="ABC"[right - 1], number=right, text=texts[right - 1])
        page += "\n".join([prompt.format(count), *lines, named]) + "\n\n"
    items = parse_upload(page.encode(), "quiz.md", language="en").items
    assert [list_options(item) for item in items] == [
        [(text, at == right) for at, text in enumerate(texts, start=1)]
        for texts, right in zip(CAPITALS, PLACES, strict=True)
    ]
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


@pytest.mark.parametrize("keys", [(0, 1, 2), (4, 9, 7)])
def test_a_number_that_may_count_from_zero_or_names_no_option_is_no_key(keys):
    page = "".join(
        f"{count}. Which?\nA) {a}\nB) {b}\nC) {c}\nAnswer: {key}\n\n"
        for count, ((a, b, c), key) in enumerate(zip(CAPITALS, keys, strict=True), start=1)
    )
    items = parse_upload(page.encode(), "quiz.md", language="en").items
    assert [list_codes(item)[:1] for item in items] == [["key_unknown"]] * 3


def test_a_number_is_the_option_with_that_text():
    page = "How many?\nA) 3\nB) 2\nC) 1\nAnswer: 3\n"
    (item,) = parse_upload(page.encode(), "quiz.md", language="en").items
    assert list_options(item) == [("3", True), ("2", False), ("1", False)]


@pytest.mark.parametrize(
    "prompt", ["Which is the capital?", "4. Name the capital", "The capital is ____"]
)
@pytest.mark.parametrize("option", ["{})", "- {}.", "({})"])
def test_lettered_options_without_a_key_are_for_a_person(prompt, option):
    lines = [
        f"{option.format(letter)} {text}" for letter, text in zip("abc", CAPITALS[0], strict=True)
    ]
    (item,) = parse_upload("\n".join([prompt, *lines]).encode(), "quiz.md", language="en").items
    assert (item.status, list_codes(item)) == (ImportStatus.REVIEW, ["key_unknown"])
    assert list_options(item) == [(text, False) for text in CAPITALS[0]]


def test_lettered_lists_of_a_text_that_asks_nothing_are_no_questions():
    text = b"A big list follows\na) bread\nb) milk\n\nThey went home\na) by bus\nb) on foot\n"
    assert detect_formats(text, "notes.txt") == ()
