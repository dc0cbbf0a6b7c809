"""Questions that a bank has twice, or nearly."""

from dataclasses import replace

from quizzes.bank.lint.duplicates import MAX_NGRAM_USES
from tests.quizzes.bank.lint.factory import codes, found, made, worded

BASE = "one two three four five six seven eight nine ten eleven twelve"
LONG = " ".join(f"word{n}" for n in range(20))


def told(*listed):
    return [(finding.code, finding.question, finding.figures) for finding in found(*listed)]


def asked(prompt, **options):
    return worded(made(), "en", prompt=prompt, options=options)


def test_the_same_question_twice_is_found_and_nearly_the_same_too():
    listed = [asked(prompt) for prompt in (BASE, BASE.upper() + "?", BASE + " more")]
    assert told(*listed) == [
        ("duplicate", "q1", {"of": "q0"}),
        ("near_duplicate", "q2", {"of": "q0"}),
    ]


def test_each_is_told_once_with_the_one_most_like_it():
    listed = [asked(BASE), asked(BASE + " more"), asked(BASE + " more still")]
    assert told(*listed)[-1] == ("near_duplicate", "q2", {"of": "q1"})


def test_options_in_another_order_make_no_other_question():
    letters = {"a": "Option b", "b": "Option a"}
    assert told(asked(BASE), asked(BASE, **letters)) == [("duplicate", "q1", {"of": "q0"})]


def test_a_short_prompt_with_other_options_is_another_question():
    others = {letter: f"quite {letter * 5} other words {letter * 3}" for letter in "abcd"}
    assert told(asked("What is printed?"), asked("What is printed?", **others)) == []
    (finding,) = told(asked(BASE), asked(BASE, **others))
    assert finding == ("same_prompt", "q1", {"of": "q0"})


def test_signs_that_code_is_made_of_tell_questions_apart():
    assert "duplicate" not in codes(asked("Is `a + b` fine?"), asked("Is `a - b` fine?"))


def test_equal_words_of_two_languages_are_no_twins():
    item = asked(BASE)
    other = replace(item, source_language="es", words={"es": item.words["en"]}, feedback={})
    assert "duplicate" not in codes(item, other)


def test_a_question_without_a_prompt_is_nobodys_twin():
    assert "duplicate" not in codes(asked(""), asked(""))


def test_what_hundreds_say_tells_none_apart_and_is_still_found():
    listed = [asked(f"{BASE} {LONG} number{n} of {n * 7}") for n in range(MAX_NGRAM_USES + 9)]
    near = [finding for finding in told(*listed) if finding[0] == "near_duplicate"]
    assert len(near) == MAX_NGRAM_USES + 8
