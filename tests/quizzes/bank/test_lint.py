"""The lint of a bank: what each finding is found by, and what is none."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from quizzes.bank.item import Item
from quizzes.bank.lint import ENOUGH, lint, random_guess, select_all
from tests.content import choice_item

LETTERS = {letter: letter for letter in "abcd"}


def made(right: str = "ab", kind: str = "multiple_choice", **more: Any) -> Item:
    given = {"scheme": "", "name": "some", **more}
    return choice_item(LETTERS, right=right, kind=kind, **given)


def worded(item: Item, language: str, **words: Any) -> Item:
    return replace(item, words={**item.words, language: {**item.words[language], **words}})


def codes(*listed: Item) -> list[str]:
    return [found.code for found in lint({f"q{n}": item for n, item in enumerate(listed)})]


def test_a_sound_question_has_no_findings():
    assert codes(made()) == []


@pytest.mark.parametrize(
    ("right", "scheme", "credit"),
    [
        ("ab", "right_minus_wrong", 0),
        ("abc", "right_minus_wrong", Fraction(2, 3)),
        ("ab", "each_option", Fraction(1, 2)),
    ],
)
def test_ticking_everything_earns_what_the_scheme_says(right, scheme, credit):
    assert select_all(made(right, scheme=scheme)) == credit


def test_a_guess_is_the_mean_over_all_answers_that_can_be_given():
    assert random_guess(made("b", "single_choice")) == Fraction(1, 4)
    assert random_guess(made("ab", scheme="all_or_nothing")) == Fraction(1, 15)
    assert select_all(made("b", "single_choice")) is None


@pytest.mark.parametrize("kind", ["essay", "cloze", "matching", "unheard_of", ""])
def test_what_cannot_be_tried_is_not_guessed_at(kind):
    item = Item(kind, "none")
    assert (select_all(item), random_guess(item)) == (None, None)


def test_more_right_than_wrong_makes_ticking_everything_pay():
    (found,) = lint({"q": made("abc")})
    assert (found.code, found.question, found.figures) == (
        "select_all_pays",
        "q",
        {"credit": "2/3"},
    )


@pytest.mark.parametrize(
    ("english", "spanish", "code"),
    [
        ("Take 3 apples", "Toma 4 manzanas", "numbers_differ"),
        ("Call `f(x)`", "Llama `g(x)`", "code_differs"),
        ("So $a+b$", "Así $a-b$", "formulas_differ"),
        ("this is not translated", "this is not translated", "untranslated"),
    ],
)
def test_translations_are_held_against_their_source(english, spanish, code):
    item = worded(worded(made(), "en", prompt=english), "es", prompt=spanish)
    (found,) = lint({"q": item})
    assert (found.code, found.language, found.path) == (code, "es", "words.es.prompt")


@pytest.mark.parametrize("same", ["AllReduce", "`a b c d e`", "1,234.5", "MirroredStrategy API"])
def test_names_code_and_numbers_may_stay_as_they_are(same):
    item = worded(worded(made(), "en", prompt=same), "es", prompt=same)
    assert codes(item) == []


def test_numbers_may_be_written_as_each_language_does():
    item = worded(worded(made(), "en", prompt="It is 1,234.5"), "es", prompt="Son 1.234,5")
    assert codes(item) == []


def test_what_one_side_lacks_and_what_is_stale_is_named():
    item = replace(made(), feedback={"en": made().feedback["en"]}, translated_from={"es": "old"})
    assert set(codes(item)) == {"missing_feedback", "stale_translation"}
    assert codes(replace(made(), feedback={})) == ["no_feedback"]


def test_all_of_the_above_is_named_in_each_language():
    item = made()
    for language, said in (("en", "All of the above"), ("es", "Todas las anteriores")):
        options = {**item.words[language]["options"], "d": said}
        item = worded(item, language, options=options)
    assert [(found.code, found.path) for found in lint({"q": item})] == [
        ("catch_all_option", "words.en.options.d"),
        ("catch_all_option", "words.es.options.d"),
    ]


def test_the_same_prompt_twice_is_found_and_nearly_the_same_too():
    base = "one two three four five six seven eight nine ten eleven twelve"
    listed = [worded(made(), "en", prompt=p) for p in (base, base.upper() + "?", base + " more")]
    found = lint({f"q{n}": item for n, item in enumerate(listed)})
    assert [(one.code, one.question, one.figures) for one in found] == [
        ("duplicate", "q1", {"of": "q0"}),
        ("near_duplicate", "q2", {"of": "q0"}),
    ]


def test_habits_of_a_bank_are_told_once_there_are_enough_questions():
    listed = []
    for n in range(ENOUGH):
        item = made("a", "single_choice", shuffle=False, name=f"{n}")
        options = {**item.words["en"]["options"], "a": "much the longest of them"}
        listed.append(worded(item, "en", options=options))
    assert codes(*listed) == ["key_leans", "longest_is_right"]
    assert codes(*listed[1:]) == []
