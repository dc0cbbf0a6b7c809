"""Essays: read as plain text, never marked by a machine, kept whatever their length in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer, ItemScore, NeedsManualGrading
from grading.json_types import Content, Key
from grading.kinds import essay
from tests.grading.strategies import JSON

KEY: Key = {
    "criteria": [{"id": "idea"}],
    "levels": [
        {"id": "low", "criterion": "idea", "points": 0},
        {"id": "high", "criterion": "idea", "points": 3},
    ],
}


def codes(content: Content, key: Key, scoring_method="rubric"):
    return {
        (problem.where, problem.code) for problem in essay.validate(content, key, scoring_method)
    }


# --- check -----------------------------------------------------------------------------------
def test_an_essay_needs_neither_limits_nor_a_rubric():
    assert codes({}, {}) == set()
    assert codes({"minimum_words": None, "maximum_words": 0}, {}) == set()


@pytest.mark.parametrize("value", [-1, True, "300", 2.5, [3]])
@pytest.mark.parametrize("field", ["minimum_words", "maximum_words"])
def test_a_limit_is_a_whole_number(field, value):
    assert codes({field: value}, KEY) == {(field, "not_a_count")}


def test_the_least_is_not_above_the_most():
    assert codes({"minimum_words": 9, "maximum_words": 8}, KEY) == {
        ("maximum_words", "limits_crossed")
    }
    assert codes({"minimum_words": 8, "maximum_words": 8}, KEY) == set()


def test_the_rubric_and_the_scoring_method_are_checked_too():
    key: Key = {**KEY, "graders": 3}
    assert codes({}, key, "by_lot") == {
        ("graders", "graders_out_of_range"),
        ("scoring_method", "unknown_scoring_method"),
    }


@given(st.dictionaries(st.sampled_from(["minimum_words", "maximum_words", "x"]), JSON), JSON)
def test_checking_survives_any_draft(content, key):
    essay.validate(content, key if isinstance(key, dict) else {"criteria": key, "levels": key}, "")


# --- present ---------------------------------------------------------------------------------
def test_a_taker_sees_the_limits_and_nothing_of_the_rubric():
    presented = essay.public_view({"minimum_words": 5, "maximum_words": 0}, [])
    assert presented.parts == {"minimum_words": 5, "maximum_words": None}


def test_there_is_nothing_to_put_in_an_order():
    assert essay.shufflable_ids({"minimum_words": 5}) == ()
    with pytest.raises(ValueError, match="no parts"):
        essay.public_view({}, ["a"])


# --- read ------------------------------------------------------------------------------------
def test_a_text_of_any_number_of_words_is_kept():
    text = "word " * 400
    assert essay.parse({"maximum_words": 10}, {"text": text}) == {"text": text}


def test_only_a_text_beyond_all_measure_is_refused():
    most = essay.MOST_CHARACTERS
    assert essay.parse({}, {"text": "x" * most}) == {"text": "x" * most}
    assert essay.parse({}, {"text": "x" * (most + 1)}) == InvalidAnswer(
        "text_too_long", {"where": "text", "maximum": most}
    )


@pytest.mark.parametrize(
    ("raw", "code"), [(3, "not_an_object"), ([], "not_an_object"), ({"text": None}, "not_a_text")]
)
def test_what_is_no_text_is_unreadable(raw, code):
    parsed = essay.parse({}, raw)
    assert isinstance(parsed, InvalidAnswer)
    assert parsed.code == code


def test_what_no_database_keeps_and_nobody_sees_is_left_out():
    assert essay.parse({}, {"text": "a\x00b\ud800c\x0bd\u2028e\tf"}) == {"text": "abc\nd\ne\tf"}
    assert essay.parse({}, {"text": "\x00\ud800"}) is None


def test_an_empty_answer_is_unanswered():
    assert essay.parse({}, {}) is None


@given(JSON)
def test_reading_survives_anything(raw):
    essay.parse({}, raw)


@given(st.text())
def test_reading_a_canonical_text_gives_it_back_and_any_database_could_keep_it(text):
    answer = essay.parse({}, {"text": text})
    assert not isinstance(answer, InvalidAnswer)
    if answer is not None:
        assert essay.parse({}, answer) == answer
        assert "\x00" not in str(answer["text"])
        json.dumps(answer, ensure_ascii=False).encode()


# --- mark ------------------------------------------------------------------------------------
def test_a_text_needs_a_person_whatever_it_says():
    assert essay.score({}, KEY, {"text": "x"}, "rubric") == NeedsManualGrading("marked_by_a_person")


def test_no_text_needs_nobody():
    mark = essay.score({}, KEY, None, "rubric")
    assert isinstance(mark, ItemScore)
    assert mark.credit == 0
    assert mark.reasons == ("unanswered",)


@pytest.mark.parametrize("answer", [{}, {"text": 3}, [], "text"])
def test_an_answer_of_another_form_is_a_mistake_and_not_a_zero(answer):
    with pytest.raises(ValueError, match="canonical"):
        essay.score({}, KEY, answer, "rubric")


def test_there_is_no_model_answer():
    assert essay.correct_answer({}, KEY) == {}
