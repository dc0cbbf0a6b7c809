"""Accepted words nobody will type, and numbers nobody measures so exactly."""

from typing import Any

import pytest

from grading.json_types import Json
from quizzes.document import QuestionDocument
from tests.quizzes.bank.lint.factory import codes, only
from tests.short_text_factory import short_text_document


@pytest.mark.parametrize("text", ["<b>Paris</b>", "A&nbsp;B", "$x^2$", "`print`", "H<sub>2</sub>O"])
def test_marks_that_a_learner_would_have_to_type_are_told(text):
    item = short_text_document([(text, (1, 1))])
    assert only(item, "needs_markup") == [("accepted.row-0", {"text": text})]


@pytest.mark.parametrize(
    "texts",
    [["`print`", "print"], ["<b>Paris</b>", "paris"], ["List<String>"], ["a < b"], ["$5"], ["_x_"]],
)
def test_marks_that_do_not_count_or_belong_to_the_answer_are_fine(texts):
    assert codes(short_text_document([(text, (1, 1)) for text in texts])) == []


@pytest.mark.parametrize(
    ("text", "signs", "bare"),
    [
        ("n!", "!", "n"),
        ("else:", ":", "else"),
        ("return x;", ";", "return x"),
        ("x ? :", "? :", "x"),
    ],
)
def test_signs_that_the_comparison_ignores_are_named(text, signs, bare):
    figures = {"text": text, "signs": signs, "bare": bare}
    item = short_text_document([(text, (1, 1))])
    assert only(item, "signs_ignored") == [("accepted.row-0", figures)]
    for comparison in ({"sort": "code"}, {"sort": "exact_text"}, {"punctuation": "counted"}):
        assert only(short_text_document([(text, (1, 1))], **comparison), "signs_ignored") == []


def test_signs_that_keyboards_lack_are_named_where_the_plain_ones_are_refused():
    strict, text = {"typography": "counted"}, "it\u2019s \u201cnew\u201d"
    figures = {"text": text, "signs": "\u2019 \u201c \u201d", "plain": 'it\'s "new"'}
    document = short_text_document([(text, (1, 1))], **strict)
    assert only(document, "typographic_signs") == [("accepted.row-0", figures)]
    for rows, comparison in (
        ([text], {}),
        ([text, 'it\'s "new"'], strict),
        (["Per\u00fa"], strict),
    ):
        document = short_text_document([(row, (1, 1)) for row in rows], **comparison)
        assert only(document, "typographic_signs") == []


@pytest.mark.parametrize("text", ["", " ", "?!", "..."])
def test_an_answer_without_a_letter_or_number_is_looked_at_too(text):
    assert only(short_text_document([(text, (1, 1))]), "signs_ignored") == []


@pytest.mark.parametrize(
    "text", ["a != b", "f(x)", "[1, 2]", "max_size", "!x", "getName", "std::sort", "i++", "$total"]
)
def test_code_that_is_compared_as_words_is_named(text):
    item = short_text_document([(text, (1, 1))])
    assert only(item, "looks_like_code") == [("accepted.row-0", {"text": text})]
    for sort in ("code", "formula", "exact_text"):
        assert codes(short_text_document([(text, (1, 1))], sort=sort)) == []


@pytest.mark.parametrize(
    "text", ["Paris.", "U.S.A.", "¡Olé!", "Yes, it is.", "It is: why not?", "colour(s)", "pH", "-x"]
)
def test_words_with_the_punctuation_of_sentences_are_fine(text):
    assert codes(short_text_document([(text, (1, 1))])) == []


@pytest.mark.parametrize("text", ["colour | color", "Madrid / Barcelona", "red; green"])
def test_several_answers_in_one_row_are_told(text):
    assert only(short_text_document([(text, (1, 1))]), "several_answers") == [
        ("accepted.row-0", {"text": text})
    ]


@pytest.mark.parametrize("text", ["km/h", "a||b", "TCP/IP", "1/2"])
def test_one_answer_with_a_slash_is_one_answer(text):
    assert only(short_text_document([(text, (1, 1))]), "several_answers") == []


def test_an_answer_of_many_words_is_told_unless_it_has_wildcards_or_is_a_pattern():
    words = "it is the city where the tower stands"
    assert only(short_text_document([(words, (1, 1))]), "long_answer") == [
        ("accepted.row-0", {"n": 8})
    ]
    starred = short_text_document([("Paris", (1, 1)), (f"*{words}", (1, 1))])
    rows: list[Json] = [
        {"id": "row-0", "text": "Paris"},
        {"id": "row-1", "text": words, "pattern": True},
    ]
    pattern = short_text_document(accepted=(), accepted_rows=None)
    pattern = QuestionDocument.from_json({**pattern.to_json(), "key": {"accepted": rows}})
    assert codes(starred) == codes(pattern) == []


def test_signs_and_code_are_judged_by_the_sort_of_each_gap():
    gaps: list[Json] = [
        {"id": sort, "placeholder": sort, "kind": "short_text", "sort": sort}
        for sort in ("words", "code", "exact_text")
    ]
    rows: list[Json] = [
        {"id": f"{sort}-{at}", "gap": sort, "text": text}
        for sort in ("words", "code", "exact_text")
        for at, text in enumerate(("stop!!", "a != b"))
    ]
    item = QuestionDocument(
        "cloze",
        "per_gap",
        content={"gaps": gaps, "options": []},
        key={"accepted": rows},
        words={"en": {"prompt": "[[words]] [[code]] [[exact_text]]"}},
        feedback={"en": {"explanation": "So."}},
    )
    assert [path for path, _ in only(item, "signs_ignored")] == ["accepted.words-0"]
    assert [path for path, _ in only(item, "looks_like_code")] == ["accepted.words-1"]


def test_the_rows_of_another_gap_do_not_accept_for_this_one():
    gaps: list[Json] = [
        {"id": gap, "placeholder": gap, "kind": "short_text", "sort": "exact_text"}
        for gap in ("first", "second")
    ]
    rows: list[Json] = [
        {"id": "marked", "gap": "first", "text": "`print`"},
        {"id": "quoted", "gap": "first", "text": "it\u2019s"},
        {"id": "plain", "gap": "second", "text": "print"},
        {"id": "keyed", "gap": "second", "text": "it's"},
    ]
    item = QuestionDocument(
        "cloze",
        "per_gap",
        content={"gaps": gaps, "options": []},
        key={"accepted": rows},
        words={"en": {"prompt": "[[first]] [[second]]"}},
        feedback={"en": {"explanation": "So."}},
    )
    assert [path for path, _ in only(item, "needs_markup")] == ["accepted.marked"]
    assert [path for path, _ in only(item, "typographic_signs")] == ["accepted.quoted"]


def numeric(value: str, tolerance: str = "exact", margin: str = "", **key: Any) -> QuestionDocument:
    row: Json = {"id": "n", "value": value, "tolerance": tolerance, "margin": margin}
    content = {"unit": "required"} if key else {}
    return QuestionDocument(
        "numeric",
        "accepted_answers",
        content=content,
        key={"numbers": [row], **key},
        words={"en": {"prompt": "How much?"}},
        feedback={"en": {"explanation": "So much."}},
    )


METRES: Any = [{"id": "u", "symbol": "m", "factor": "1"}]


@pytest.mark.parametrize(
    "item",
    [
        numeric("9.81"),
        numeric("6.02e23"),
        numeric("1.25", "absolute", "0"),
        numeric("1.5", units=METRES),
    ],
)
def test_a_measured_number_taken_to_its_last_digit_is_told(item):
    ((path, figures),) = only(item, "exact_measure")
    assert (path, figures) == ("numbers.n", {"value": item.key["numbers"][0]["value"]})


@pytest.mark.parametrize(
    "item",
    [
        numeric("42"),
        numeric("0.5"),
        numeric("22/7"),
        numeric("1000000"),
        numeric("9.81", "absolute", "0.01"),
        numeric("3", units=METRES),
    ],
)
def test_counts_halves_and_numbers_with_a_margin_are_fine(item):
    assert codes(item) == []
