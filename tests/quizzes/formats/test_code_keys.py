"""Keys that are code: the option with the same signs is right, not one with the same letters."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import list_codes, list_options


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (["`f(x)`", "`f(-x)`"], "`f(x)`"),
        (["`f(x)`", "`f(-x)`"], "`f(-x)`"),
        (["`a+b`", "`a-b`"], "`a+b`"),
        (["`==`", "`!=`"], "`!=`"),
        (["`True`", "`true`"], "`True`"),
        (["5", "-5"], "5"),
        (["5", "-5"], "-5"),
        (["`x`", "`-x`"], "`-x`"),
        (["foo()", "bar()"], "`bar()`"),
        (["`foo()`", "`bar()`"], "`bar()`"),
    ],
)
@pytest.mark.parametrize(("word", "mark"), [("Answer", "-"), ("Respuesta", "A)")])
def test_a_key_is_the_option_that_is_it_sign_by_sign(options, key, word, mark):
    marks = ["A)", "B)"] if mark == "A)" else ["-", "-"]
    listed = "\n".join(f"{each} {text}" for each, text in zip(marks, options, strict=True))
    question = f"{listed}\n\n**{word}:** {key}\n\n"
    text = f"### What is printed?\n\n{question}### What is returned?\n\n{question}"
    for item in parse_upload(text.encode(), "quiz.md", language="en").items:
        assert item.status == ImportStatus.IMPORTED
        right = [option for option, is_right in list_options(item) if is_right]
        assert [option.strip("`") for option in right] == [key.strip("`")]


def test_a_letter_in_code_that_is_the_text_of_another_option_is_for_a_person():
    first = "### What is printed?\n\nA. `b`\nB. `a`\n\n**Answer:** `a`\n\n"
    second = "### What is returned?\n\nA. `c`\nB. `d`\n\n**Answer:** `B`\n\n"
    items = parse_upload(f"{first}{second}".encode(), "quiz.md", language="en").items
    assert [item.status for item in items] == [ImportStatus.REVIEW, ImportStatus.IMPORTED]
    assert list_codes(items[0]) == ["key_unknown"]
    assert [is_right for _, is_right in list_options(items[1])] == [False, True]


def test_options_with_the_same_letters_are_not_named_by_them():
    options = [("a", "f(x)"), ("b", "f(-x)")]
    assert find_named_options(options, "f x") == (frozenset(), "")
    assert find_named_options(options, "f(x), f(-x)") == (frozenset({0, 1}), "")


@pytest.mark.parametrize(
    "key", ["B or C", "B) Ebro or C) Duero", "(B) o (C)", "B. Ebro o C. Duero"]
)
@pytest.mark.parametrize("word", ["Answer", "Respuesta"])
def test_a_key_of_which_either_counts_is_for_a_person(key, word):
    ask = f"{{}}. Which is longer?\n\nA) Tajo\nB) Ebro\nC) Duero\n\n**{word}:** {{}}\n\n"
    first, second = parse_upload(
        (ask.format(1, key) + ask.format(2, "C")).encode(), "quiz.md", language="en"
    ).items
    assert (first.status, first.is_damaged) == (ImportStatus.REVIEW, True)
    assert not any(is_right for _, is_right in list_options(first))
    assert second.status == ImportStatus.IMPORTED


def test_a_number_and_its_text_or_another_number_and_text_name_neither():
    options = [("1", "more data"), ("2", "less data"), ("3", "more time")]
    assert find_named_options(options, "1. more data or 3. more time") == (frozenset(), "")
    assert find_named_options(options, "1. more data and 3. more time")[0] == {0, 2}
