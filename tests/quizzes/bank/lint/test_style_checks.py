"""How options are worded: what gives them away, misleads, or makes two of them one."""

from dataclasses import replace

import pytest

from grading.json_types import Json
from quizzes.document import QuestionDocument
from tests.quizzes.bank.lint.factory import codes, found, made, only, worded


@pytest.mark.parametrize(
    "text", ["All of the above", "none of these", "Neither of them", "Both of the above are true."]
)
def test_all_of_the_above_is_misleading_where_options_are_shuffled(text):
    item = worded(made(), "en", options={"d": text})
    assert [(finding.code, finding.path) for finding in found(item)] == [
        ("catch_all_shuffled", "words.en.options.d")
    ]


@pytest.mark.parametrize("text", ["Todas las anteriores", "Ninguna de las anteriores"])
def test_it_is_known_in_spanish_and_a_mere_hint_where_it_keeps_its_place(text):
    options: list[Json] = [{"id": id_, "pinned": id_ == "d"} for id_ in "abcd"]
    item = made()
    pinned = replace(item, content={**item.content, "options": options})
    (finding,) = found(worded(pinned, "es", options={"d": text}))
    assert (finding.code, finding.severity, finding.language) == ("catch_all_option", "hint", "es")


@pytest.mark.parametrize("text", ["All of them run on fire", "Both halves", "Todas las tardes"])
def test_words_that_only_sound_like_it_are_fine(text):
    assert codes(worded(made(), "en", options={"d": text})) == []


@pytest.mark.parametrize(
    ("language", "prompt", "first", "two"),
    [
        ("en", "Which of these is NOT true?", "It does not scale", "It can't fail"),
        ("en", "What is false about it?", "It never ends", "It cannot start"),
        ("es", "¿Cuál de estas NO es cierta?", "No se reparte", "Nunca termina"),
        ("es", "¿Qué afirmación es falsa?", "no usa memoria", "nunca espera"),
    ],
)
def test_options_that_say_not_where_not_is_asked_for_are_told_once(language, prompt, first, two):
    item = worded(made(), language, prompt=prompt, options={"a": first, "b": two})
    assert only(item, "double_negative") == [(f"words.{language}.prompt", {"n": 2})]
    single = worded(made(), language, prompt=prompt, options={"a": first})
    plain = worded(made(), language, prompt="What holds?", options={"a": first, "b": two})
    assert only(single, "double_negative") == only(plain, "double_negative") == []


def test_a_language_whose_words_are_not_known_is_not_judged():
    item = made()
    words = {"fr": {**item.words["en"], "prompt": "Which is not?", "options": {"a": "not"}}}
    changed = replace(item, source_language="fr", words=words, feedback={})
    assert only(changed, "double_negative") == []


def test_a_long_option_is_told_with_its_length_but_a_listing_is_not():
    item = worded(made(), "en", options={"a": "x" * 251})
    assert only(item, "long_option") == [("words.en.options.a", {"n": 251, "most": 250})]
    code = "```python\n" + "pass  # nothing\n" * 30 + "```"
    marked = "**" + "y" * 248 + "**"
    for text in ("x" * 250, code, marked):
        assert only(worded(made(), "en", options={"a": text}), "long_option") == []


def test_options_of_equal_words_are_unfair_if_one_is_right_and_one_is_not():
    item = worded(made("ab"), "en", options={"b": "Same", "c": "Same"})
    (finding,) = found(item)
    assert (finding.code, finding.severity, finding.path) == (
        "equal_rows",
        "error",
        "words.en.options.c",
    )
    alike = worded(made("ab"), "en", options={"c": "Same", "d": "Same"})
    assert [(finding.code, finding.severity) for finding in found(alike)] == [
        ("same_option", "warning")
    ]


def pairs(pairs_: dict[str, str], **rights: str) -> QuestionDocument:
    lefts = {id_: f"left {id_}" for id_ in pairs_}
    return QuestionDocument(
        "matching",
        "per_pair",
        content={"lefts": [{"id": i} for i in lefts], "rights": [{"id": i} for i in rights]},
        key={"pairs": pairs_},
        words={"en": {"prompt": "Match them", "lefts": lefts, "rights": rights}},
        feedback={"en": {"explanation": "So."}},
    )


def test_rights_of_equal_words_are_unfair_where_one_of_them_is_asked_for():
    document = pairs({"l": "x", "m": "y"}, x="one", y="two", z="two")
    idle = pairs({"l": "x", "m": "w"}, x="one", w="zero", y="two", z="two")
    assert codes(document) == ["equal_rows"]
    assert codes(idle) == ["same_option"]


def test_items_of_an_order_are_never_of_equal_words():
    item = QuestionDocument(
        "ordering",
        "exact_place",
        content={"items": [{"id": "a"}, {"id": "b"}]},
        key={"order": ["a", "b"]},
        words={"en": {"prompt": "Order them", "items": {"a": "wait", "b": "wait"}}},
        feedback={"en": {"explanation": "So."}},
    )
    assert codes(item) == ["equal_rows"]


def test_gaps_may_offer_the_same_words_but_no_gap_twice():
    def gapped(second: str) -> QuestionDocument:
        gaps = [{"id": g, "placeholder": g, "kind": "single_choice"} for g in "gh"]
        rows = [("a", "g", "is"), ("b", "g", "are"), ("c", "h", "is"), ("d", "h", second)]
        return QuestionDocument(
            "cloze",
            "per_gap",
            content={
                "gaps": gaps,
                "options": [{"id": id_, "gap": gap} for id_, gap, _ in rows],
            },
            key={"right": ["a", "d"]},
            words={
                "en": {
                    "prompt": "This [[g]] what they [[h]].",
                    "options": {id_: text for id_, _, text in rows},
                }
            },
            feedback={"en": {"explanation": "So."}},
        )

    assert codes(gapped("are")) == []
    assert codes(gapped("is")) == ["equal_rows"]


def test_feedback_that_is_missing_is_told_once_and_so_is_some_of_it():
    item = made()
    assert codes(replace(item, feedback={})) == ["no_feedback"]
    partly = {
        language: {"options": {"a": words["options"]["a"]}, "explanation": words["explanation"]}
        for language, words in item.feedback.items()
    }
    assert only(replace(item, feedback=partly), "some_feedback") == [("", {"n": 1, "all": 4})]
    explained = {language: {"explanation": "So."} for language in item.feedback}
    assert codes(replace(item, feedback=explained)) == []
