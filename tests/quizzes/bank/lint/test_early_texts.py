"""Hints and safe explanations that name what is right."""

from dataclasses import replace

from tests.quizzes.bank.lint.factory import made, only, worded


def hinted(hint: str, explanation: str = "", **key):
    item = worded(made(), "en", options={"a": "Heap", "b": "Red-black tree"})
    feedback = {"en": {"hint_step": {"h": hint}, "explanation": explanation}}
    return replace(item, key={**item.key, "hints": [{"id": "h"}], **key}, feedback=feedback)


def test_a_hint_that_names_a_right_option_is_found():
    item = hinted("Think of the **heap**.")
    assert only(item, "hint_names_key") == [("feedback.en.hint_step.h", {})]


def test_a_hint_that_weighs_options_or_names_none_is_fine():
    assert only(hinted("Look at the first chapter."), "hint_names_key") == []
    assert only(hinted("Heaps of stones."), "hint_names_key") == []
    assert only(hinted("Compare: heap, or option d?"), "hint_names_key") == []


def test_an_explanation_is_looked_at_once_it_may_come_early():
    assert only(hinted("Look.", "It is the heap."), "safe_text_names_key") == []
    safe = hinted("Look.", "It is the heap.", explanation_safe=True)
    assert only(safe, "safe_text_names_key") == [("feedback.en.explanation", {})]
