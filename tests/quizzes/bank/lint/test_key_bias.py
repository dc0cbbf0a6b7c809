"""Habits of a bank are told once chance would hardly make them."""

from dataclasses import replace
from typing import Any

from grading.json_types import Json
from quizzes.bank.lint.key_bias import check_key_bias, read_single_key
from quizzes.bank.lint.question_view import QuestionView
from quizzes.document import QuestionDocument
from tests.quizzes.bank.lint.factory import made, worded


def told(listed: list[QuestionDocument]) -> list[tuple[str, Any]]:
    return [
        (finding.code, finding.figures)
        for finding in check_key_bias(read_single_key(QuestionView(item)) for item in listed)
    ]


def single(right: str = "a", **more: Any) -> QuestionDocument:
    return made(right, "single_choice", **more)


def truth(*, right: bool) -> QuestionDocument:
    item = single()
    options: list[Json] = [{"id": "a", "value": True}, {"id": "b", "value": False}]
    content: dict[str, Json] = {"options": options, "shuffle": False}
    key: dict[str, Json] = {"right": ["a" if right else "b"]}
    return replace(item, kind="true_false", content=content, key=key)


def test_a_key_that_leans_to_one_place_is_told_where_nothing_is_shuffled():
    listed = [single(shuffle=False) for _ in range(6)] + [single("b", shuffle=False)]
    assert told(listed) == [("key_leans", {"place": 1, "options": 4, "n": 6, "all": 7})]
    assert told([single() for _ in range(30)]) == []


def test_few_questions_or_an_even_key_say_nothing():
    assert told([single(shuffle=False) for _ in range(4)]) == []
    assert told([single(letter, shuffle=False) for letter in "abcd" * 20]) == []
    assert told([]) == []


def test_statements_that_are_mostly_true_or_mostly_false_are_told():
    assert told([truth(right=True) for _ in range(8)]) == [("mostly_true", {"n": 8, "all": 8})]
    mixed = [truth(right=False)] * 40 + [truth(right=True)] * 10
    assert told(mixed) == [("mostly_false", {"n": 40, "all": 50})]
    assert told([truth(right=n % 2 == 0) for n in range(50)]) == []
    assert told([truth(right=True) for _ in range(7)]) == []


def test_a_right_option_that_is_mostly_the_longest_is_told():
    wordy = [worded(single(), "en", options={"a": "much the longest of them"}) for _ in range(8)]
    assert told(wordy) == [("longest_is_right", {"n": 8, "all": 8})]
    assert told(wordy[:3]) == []
    even = [worded(single(), "en", options={letter: "the longest"}) for letter in "abcd" * 9]
    assert told(even) == []


def test_all_of_the_above_that_is_nearly_always_right_is_told():
    def spoken(right: str) -> QuestionDocument:
        return worded(single(right), "en", options={"d": "All of them"})

    always = told([spoken("d") for _ in range(5)])
    assert ("catch_all_is_right", {"n": 5, "all": 5}) in always
    assert told([spoken(letter) for letter in "abcd" * 5]) == []


def test_questions_with_several_right_options_or_none_to_choose_from_do_not_count():
    assert read_single_key(QuestionView(made("ab"))) is None
    assert read_single_key(QuestionView(QuestionDocument("essay", "rubric"))) is None
    alone = replace(single(), content={"options": [{"id": "a"}]})
    assert read_single_key(QuestionView(alone)) is None
