"""Odd shapes of quizzes in Markdown: each question found, its key right, none in pieces."""

import re

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.formats.letter_key.end_keys import find_end_keys
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.odd_shapes import ALL_ODD, ODD_QUIZ
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
_MARKUP = re.compile(r"<[^<>]*>|[\s*`\\\u00a0#>~=]+")
_LONGEST_REST = 45  # letters, lines below and the like may stay with an option


def simplify(text: str) -> str:
    return _MARKUP.sub(" ", text).strip()


def test_there_are_many_odd_shapes():
    assert len(ALL_ODD) >= 140


@pytest.mark.parametrize("shape", ALL_ODD)
def test_each_question_of_an_odd_shape_has_its_options_and_its_key(shape):
    parsed_file = parse_upload(ALL_ODD[shape]().encode(), "quiz.md", language="en")
    for question in ODD_QUIZ:
        prompt = simplify(question.prompt).rstrip("?")
        (item,) = (item for item in parsed_file.items if prompt in simplify(get_text(item)))
        assert item.status in CLEAN, (item.notes, item.remainder)
        options = list_options(item)
        assert len(options) == len(question.options)
        for place, (option, (text, is_right)) in enumerate(
            zip(question.options, options, strict=True)
        ):
            assert simplify(option) in simplify(text)
            assert len(simplify(text)) < len(simplify(option)) + _LONGEST_REST
            assert is_right == (place in question.right)
        assert item.comparison is None or not item.comparison.has_surprise


OPTIONS = [("a", "Vienna"), ("b", "Madrid"), ("c", "Budapest"), ("d", "Oslo"), ("e", "")]


@pytest.mark.parametrize(
    ("key", "places", "rest"),
    [
        ("B", {1}, ""),
        ("b)", {1}, ""),
        ("[B]", {1}, ""),
        ("Madrid", {1}, ""),
        ("B) Madrid", {1}, ""),
        ("B. because of it", {1}, "because of it"),
        ("A and C", {0, 2}, ""),
        ("A y C.", {0, 2}, ""),
        ("A, C", {0, 2}, ""),
        ("A, and C", {0, 2}, ""),
        ("A/C", {0, 2}, ""),
        ("A; C", {0, 2}, ""),
        ("A C", {0, 2}, ""),
        ("AC", {0, 2}, ""),
        ("A) Vienna, C) Budapest", {0, 2}, ""),
        ("A) Vienna and C) Budapest", {0, 2}, ""),
        ("Vienna, Budapest", {0, 2}, ""),
        ("Option D", {3}, ""),
        ("CA", set(), ""),
        ("A, C<br>", {0, 2}, ""),
        ("A, Cx", {0}, ", Cx"),
        ("A, C!", set(), ""),
        ("AZ", set(), ""),
        ("Rome", set(), ""),
        ("", set(), ""),
    ],
)
def test_a_key_names_options_in_many_ways(key, places, rest):
    assert find_named_options(OPTIONS, key) == (frozenset(places), rest)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("q\n## Answers\n1. B\n2. C", {1: "B", 2: "C"}),
        ("q\nAnswers: 1-B, 2-AC", {1: "B", 2: "AC"}),
        ("q\n## Answers\n1. B\nmore words\n2. C", {1: "B\nmore words", 2: "C"}),
        ("q\n## Answers\n1. Rome\nmore words\n2. Oslo", {}),
        ("q\n## Answers\n1. B\nmore words\n3. C", {}),
        ("q\n## Answers\n1. B\n2. C\n## More\nwords", {1: "B", 2: "C"}),
        ("q\n## Answers\n1. B\n2. C\n## More\nA. words", {}),
        ("q\n## Answers\n1. Rome\n2. C\n## More\nwords", {}),
        ("q\n## Answers\n| 1 | 2 |\n|---|---|\n| B | A, C |", {1: "B", 2: "A, C"}),
        ("q\n## Solucionario\n**Pregunta 1:** b\n**Pregunta 2:** c", {1: "b", 2: "c"}),
        ("q\n## Answers\n1. B", {}),
        ("q\nThe answers are below\n1. B\n2. C", {}),
    ],
)
def test_keys_at_the_end_are_a_title_keys_and_their_reasons(text, keys):
    assert dict(find_end_keys(text.split("\n"))[1]) == keys
