"""Which option earns what, and what is doubtful about it: by examples of all formats."""

from fractions import Fraction

import pytest

from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice, share_points

HEAD = Head(7, "q", "en", "Which?")
ALL, HALF, THIRD, NOTHING = Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(0)


def settle(options, language="en", **settings):
    head = Head(7, "q", language, "Which?")
    question, notes = settle_choice(head, SourceChoice(options, **settings))
    right = "".join(row.name for row in question.tables["options"] if row.values["right"])
    return question, right, [note.code for note in notes]


def weigh(*weights):
    return [Option(f"option {number}", weight=weight) for number, weight in enumerate(weights)]


def mark(marks):
    return [Option(f"option {number}", right=mark == "+") for number, mark in enumerate(marks)]


@pytest.mark.parametrize(
    ("options", "many", "method", "right", "codes"),
    [
        (weigh(ALL, NOTHING), False, "all_or_nothing", "a", []),
        (weigh(ALL, HALF, -HALF), False, "option_weights", "a", []),
        (weigh(HALF, NOTHING), False, "all_or_nothing", "", ["key_unknown"]),
        (weigh(ALL, ALL, NOTHING), False, "all_or_nothing", "ab", ["several_right_options"]),
        (weigh(HALF, HALF, -HALF), True, "right_minus_wrong", "ab", []),
        (weigh(HALF, THIRD), True, "option_weights", "ab", ["full_credit_out_of_reach"]),
        (weigh(-ALL, NOTHING), True, "right_minus_wrong", "", ["key_unknown"]),
        (mark("+-"), False, "all_or_nothing", "a", []),
        (mark("--"), False, "all_or_nothing", "", ["key_unknown"]),
        (mark("++"), False, "all_or_nothing", "ab", ["several_right_options"]),
        (mark("++-"), True, "right_minus_wrong", "ab", []),
        (mark("+"), False, "all_or_nothing", "a", ["too_few_options"]),
    ],
)
def test_kind_method_key_and_doubts_follow_from_marks_and_weights(
    options, many, method, right, codes
):
    question, letters, notes = settle(options, many=many)
    assert question.kind == ("multiple_choice" if many else "single_choice")
    assert (question.scoring_method, letters, notes) == (method, right, codes)


def test_shares_that_were_rounded_roughly_are_made_whole():
    rounded = Fraction(33, 100)
    question, _, codes = settle(weigh(rounded, rounded, rounded, NOTHING), many=True)
    weights = [row.values["weight"] for row in question.tables["options"]]
    assert (codes, weights) == (["weights_made_whole"], [[1, 3]] * 3 + [[0, 1]])


def test_where_none_is_right_none_may_apply():
    options = mark("--")
    question, _, codes = settle(options, many=True, infers_none_apply=True)
    assert (question.fields["none_apply"], codes) == (True, ["none_is_right"])
    question, _, codes = settle(options, many=True, none_apply=True)
    assert (question.fields["none_apply"], codes) == (True, [])
    assert settle(options, many=False, infers_none_apply=True)[2] == ["key_unknown"]


def test_options_without_words_stay_or_are_left_out():
    options = [Option("a", right=True), Option(" ", right=False, line=9), Option("", right=True)]
    question, notes = settle_choice(HEAD, SourceChoice(options, many=True))
    assert len(question.tables["options"]) == 3
    assert [(note.code, note.line, note.quote) for note in notes] == [
        ("option_empty", 9, "b"),
        ("option_empty", 7, "c"),
    ]
    question, right, codes = settle(options, many=True, drops_empty=True)
    assert codes == ["empty_option_left_out", "option_empty", "too_few_options"]
    assert (len(question.tables["options"]), right) == (1, "a")


@pytest.mark.parametrize(
    ("language", "texts", "keeps_words", "words"),
    [
        ("en", ("TRUE", "false"), False, ["True", "False"]),
        ("en", ("TRUE", "false"), True, ["TRUE", "false"]),
        ("fr", ("Vrai", "Faux"), False, ["Vrai", "Faux"]),
    ],
)
def test_two_options_that_say_true_and_false_are_a_statement(language, texts, keeps_words, words):
    options = [Option(texts[1], right=True, feedback="No"), Option(texts[0], right=False)]
    settings = {"many": False, "truths": [False, True], "keeps_words": keeps_words}
    question, right, codes = settle(options, language, **settings)
    assert (question.kind, right, codes) == ("true_false", "false", [])
    rows = question.tables["options"]
    assert [next(iter(row.texts.values()))[language] for row in rows] == words
    unknown = [Option(text, right=False) for text in texts]
    question, _, codes = settle(unknown, language, **settings)
    assert (question.kind, codes) == ("single_choice", ["key_unknown"])


@pytest.mark.parametrize(
    ("points", "scoring", "weights"),
    [
        ({"a": 2, "b": 1, "c": -1}, {"many": False}, {"a": ALL, "b": HALF, "c": -HALF}),
        ({"a": 2, "b": 2, "c": -4}, {"many": True}, {"a": HALF, "b": HALF, "c": -ALL}),
        ({"a": 1, "b": 1}, {"many": True, "maximum": ALL}, {"a": ALL, "b": ALL}),
        (
            {"a": Fraction(33, 100), "b": Fraction(33, 100), "c": Fraction(34, 100)},
            {"many": True},
            {"a": Fraction(33, 100), "b": Fraction(33, 100), "c": Fraction(17, 50)},
        ),
        ({"a": 0, "b": -1}, {"many": True}, {}),
    ],
)
def test_points_become_shares_of_everything(points, scoring, weights):
    fractions = {name: Fraction(earned) for name, earned in points.items()}
    assert share_points(fractions, **scoring) == weights
