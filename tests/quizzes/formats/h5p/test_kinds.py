"""Each kind of content with its switches, one by one."""

from typing import Any

import pytest

from quizzes.formats import h5p
from quizzes.formats.contract import SourceItem
from quizzes.formats.h5p.blanks import Blank, split_blanks
from tests.quizzes.formats.h5p import packages
from tests.quizzes.formats.h5p.test_reading import codes, only, rows, said

TWO = [{"text": "a", "correct": True}, {"text": "b"}]
BOTH = [{"text": "a", "correct": True}, {"text": "b", "correct": True}]
NONE = [{"text": "a"}, {"text": "b"}]


def choice(answers: list[Any], **more: Any) -> SourceItem:
    return only("H5P.MultiChoice", **{"question": "Which?", "answers": answers, **more})


@pytest.mark.parametrize(
    ("answers", "behaviour", "kind", "noted"),
    [
        (TWO, {}, "single_choice", []),
        (BOTH, {}, "multiple_choice", []),
        (TWO, {"type": "multi"}, "multiple_choice", []),
        (TWO, {"singleAnswer": True}, "single_choice", []),
        (TWO, {"singleAnswer": False}, "multiple_choice", []),
        (TWO, {"type": "auto", "singleAnswer": False}, "single_choice", []),
        (BOTH, {"type": "single"}, "single_choice", ["several_right_options"]),
        (NONE, {"type": "single"}, "single_choice", ["key_unknown"]),
        (NONE, {}, "multiple_choice", ["none_is_right"]),
        (TWO[:1], {}, "single_choice", ["too_few_options"]),
        ([], {}, "multiple_choice", ["too_few_options", "none_is_right"]),
        ([*TWO, {"text": " "}], {}, "single_choice", ["option_empty"]),
    ],
)
def test_type_and_key_tell_the_kind(answers, behaviour, kind, noted):
    item = choice(answers, behaviour=behaviour)
    assert (item.kind, codes(item)) == (kind, noted)


@pytest.mark.parametrize(
    ("behaviour", "scoring_method", "noted"),
    [
        ({}, "right_minus_wrong", []),
        ({"singlePoint": True}, "all_or_nothing", []),
        ({"singlePoint": True, "passPercentage": 100}, "all_or_nothing", []),
        (
            {"singlePoint": True, "passPercentage": 60},
            "all_or_nothing",
            ["right_from_a_share"],
        ),
        ({"passPercentage": 60}, "right_minus_wrong", []),
    ],
)
def test_several_are_paid_as_they_were(behaviour, scoring_method, noted):
    item = choice(BOTH, behaviour=behaviour)
    assert item.question is not None
    assert (item.question.scoring_method, codes(item)) == (scoring_method, noted)


@pytest.mark.parametrize(
    ("ranges", "begins", "noted"),
    [
        ([{"from": 50, "feedback": "b"}, {"from": 0, "feedback": "a"}], [[0, 1], [1, 2]], []),
        ([{"from": "0", "feedback": "a"}, {"from": 200, "feedback": "b"}], [], []),
        ([{"from": 0}, {"from": 10, "feedback": "a"}], [[1, 10]], []),
        ([{"from": 0, "feedback": "a"}, {"from": 10}], [[0, 1]], ["band_goes_on"]),
    ],
)
def test_what_is_said_to_a_score_begins_where_it_began(ranges, begins, noted):
    item = choice(TWO, overallFeedback=ranges)
    assert item.question is not None
    bands = item.question.tables.get("score_feedback", ())
    assert [row.values["from"] for row in bands] == begins
    assert codes(item) == noted


@pytest.mark.parametrize(
    ("media", "prompt", "noted"),
    [
        ({"type": {"params": {"file": {"path": "images/bend.png"}, "alt": "A"}}}, "![A](", []),
        ({"params": {"file": {"path": "images/bend.png"}, "alt": "A"}}, "![A](", []),
        (
            {"type": {"params": {"file": {"path": "images/bend.png"}}}},
            "![](",
            ["picture_without_words"],
        ),
        (
            {"params": {"sources": [{"path": "images/bend.png"}], "title": "F"}},
            "![F](",
            [],
        ),
        ({"type": {"params": {"files": [{"path": "images/bend.png"}], "title": "S"}}}, "![S](", []),
        (
            {"type": {"params": {"sources": [{"path": "https://a.b/c"}]}}},
            "Which?",
            ["media_elsewhere"],
        ),
        ({"type": {"params": {"file": {"path": "../h5p.json"}}}}, "Which?", ["picture_elsewhere"]),
        ({"type": {}}, "Which?", []),
    ],
)
def test_what_stands_above_a_question_stands_above_it(media, prompt, noted):
    item = choice(TWO, media=media)
    assert said(item.question)["prompt"].startswith(prompt)
    assert codes(item) == noted
    status = "repaired" if noted == ["picture_without_words"] else "needs_review"
    assert item.status == (status if noted else "imported")


def test_a_picture_shown_twice_comes_along_once():
    picture = '<img src="images/bend.png" alt="A">'
    data = packages.package(
        "H5P.MultiChoice",
        {"question": picture, "answers": [{"text": picture, "correct": True}, *NONE]},
    )
    parcel = h5p.read(data)
    [name] = parcel.media
    assert said(parcel.items[0].question)["prompt"] == f"![A](media:{name})"
    assert rows(parcel.items[0].question, "options")[0] == {"options": f"![A](media:{name})"}


def test_notes_name_their_place_and_say_the_same_of_one_text_once():
    twice = {"text": '<u>a</u> <u>a</u> <img src="images/bend.png"> <img src="images/bend.png">'}
    item = choice([*TWO, twice])
    assert [(note.code, note.quote) for note in item.notes] == [
        ("underline_as_emphasis", "a"),
        ("picture_without_words", "answers[2].text"),
    ]


def test_a_question_without_words_is_for_a_person():
    item = choice(TWO, question=" ")
    assert (codes(item), item.status) == (["prompt_missing"], "needs_review")


def test_a_statement_is_said_in_our_words_or_in_those_of_the_file():
    params = {
        "question": "Vrai ?",
        "correct": "false",
        "behaviour": {"feedbackOnCorrect": "Oui", "feedbackOnWrong": "Non"},
        "l10n": {"trueText": "Vrai"},
    }
    [french] = h5p.read(packages.package("H5P.TrueFalse", params, language="fr")).items
    assert french.kind == "true_false"
    assert rows(french.question, "options") == [
        {"options": "Vrai", "options told": "Non"},
        {"options": "False", "options told": "Oui"},
    ]
    english = only("H5P.TrueFalse", **params)
    assert english.kind == "true_false"
    assert rows(english.question, "options")[0]["options told"] == "Non"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("none", ["none"]),
        ("*a*", ["", Blank(("a",)), ""]),
        ("x *a/b:tip: more* y", ["x ", Blank(("a", "b"), "tip: more"), " y"]),
        ("*<b>a</b>&nbsp;b*", ["", Blank(("a b",)), ""]),
        ("2 ** 3", ["2 ", "* 3"]),
        ("2 * 3", ["2 ", "* 3"]),
        ("**", ["", "*"]),
        (r"*a\/b/c/c*", ["", Blank(("a/b", "c")), ""]),
        ("*/*", ["", Blank(()), ""]),
        ("*a*b*", ["", Blank(("a",)), "b", "*"]),
    ],
)
def test_a_text_is_cut_at_its_stars(text, pieces):
    assert split_blanks(text) == pieces


def blanks(*texts: str, **more: Any) -> SourceItem:
    return only("H5P.Blanks", **{"questions": list(texts), **more})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nothing", "no_gaps"),
        (r"\(x = *2*\)", "gap_in_formula"),
        ("*a* " * 101, "too_many_gaps"),
        ("*" + "/".join(map(str, range(101))) + "*", "too_many_gaps"),
    ],
)
def test_texts_that_cannot_be_filled_are_refused(text, code):
    item = blanks(text)
    assert (item.status, codes(item), item.question) == ("refused", [code], None)


def test_an_empty_gap_is_for_a_person():
    item = blanks("a */* b")
    assert (item.status, codes(item)) == ("needs_review", ["answer_empty"])


def test_answers_mean_their_words_and_tips_stand_behind():
    item = blanks("2 x 3 = *6 \\ 1:a < b*", text="<p>Work it out</p>")
    assert item.question is not None
    assert item.question.tables["accepted"][0].values["text"] == "6 \\\\ 1"
    assert said(item.question)["prompt"] == "Work it out\n\n2 x 3 = [[gap-1]] (a < b)"
    assert item.question.tables["gaps"][0].values["case"] == "counted"
