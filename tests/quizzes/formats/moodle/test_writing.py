"""What Moodle XML cannot hold is named, question by question; what it can, is written."""

from dataclasses import replace
from fractions import Fraction

import pytest

from grading.kinds import short_text
from quizzes.formats import moodle
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    SourceChoice,
    add_hints,
    add_row_feedback,
    add_score_feedback,
    build_choice,
    build_cloze,
    build_essay,
    build_flashcard,
    build_matching,
    build_numeric,
    build_ordering,
    build_short_text,
    build_true_false,
)
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from tests.quizzes.imports import questions as any_
from tests.quizzes.imports.questions import parcel

HEAD = Head(1, "q", "en", "What?")
RIGHT, WRONG = Option("a", right=True), Option("b")
HALF = {Fraction(1, 2): "Half"}
TRUTH = build_true_false(HEAD, right=True)
COUNTS = {"spaces": "counted", "punctuation": "counted", "typography": "counted"}
FE = build_short_text(HEAD, [Accepted("Fe")], **COUNTS)
PAIRS = build_matching(HEAD, [("a", "1"), ("b", "2")])
ORDER = build_ordering(HEAD, ["a", "b"])


def told(name: str) -> Head:
    return replace(HEAD, other_texts={name: "So"})


def prompt(question: ParsedQuestion) -> str:
    return next(iter(question.texts.values()))["en"]


def rubric(question: ParsedQuestion) -> ParsedQuestion:
    return replace(question, fields={"graders": 2})


CASES = {
    "a card": (build_flashcard(HEAD, "back"), {"kind_not_held"}),
    "several languages": (
        replace(
            TRUTH, texts={text: {**words, "es": "¿Qué?"} for text, words in TRUTH.texts.items()}
        ),
        {"languages_left_out"},
    ),
    "another language": (build_essay(Head(1, "q", "es", "¿Qué?")), {"language_missing"}),
    "a scoring method of several": (
        build_choice(
            HEAD, SourceChoice([RIGHT, WRONG], many=True, scoring_method="all_or_nothing")
        ),
        {"scoring_method_left_out"},
    ),
    "a share of its own": (
        build_choice(
            HEAD,
            SourceChoice([RIGHT, Option("b", weight=Fraction(1, 23))],
            many=False,
            scoring_method="option_weights",
        )),
        {"share_not_offered"},
    ),
    "none of these": (
        build_choice(HEAD, SourceChoice([RIGHT, WRONG], many=True, none_apply=True)),
        {"none_apply_left_out"},
    ),
    "a pinned option": (
        build_choice(HEAD, SourceChoice([RIGHT, replace(WRONG, pinned=True)], many=False)),
        {"pinned_left_out"},
    ),
    "feedback for not choosing": (
        build_choice(HEAD, SourceChoice([RIGHT, replace(WRONG, unchosen="Good")], many=False)),
        {"unchosen_left_out"},
    ),
    "other bands": (
        add_score_feedback(
            build_choice(HEAD, SourceChoice([RIGHT, WRONG], many=False)), "en", HALF
        ),
        {"score_feedback_changed"},
    ),
    "bands of a statement": (add_score_feedback(TRUTH, "en", HALF), {"score_feedback_left_out"}),
    "nothing": (TRUTH, set()),
    "a pattern": (
        build_short_text(HEAD, [Accepted("F."), Accepted("F.", pattern=True)], **COUNTS),
        {"pattern_left_out"},
    ),
    "looser words": (build_short_text(HEAD, [Accepted("Fe")]), {"comparison_stricter"}),
    "bands of words": (add_score_feedback(FE, "en", HALF), {"score_feedback_left_out"}),
    "digits": (
        build_numeric(HEAD, [Number("2.50", "digits", "3"), Number("2", "digits", "1")]),
        {"digits_left_out"},
    ),
    "units": (
        build_numeric(HEAD, [Number("2")], unit="required", units={"m": "1", "km": "1e3"}),
        set(),
    ),
    "a fraction": (build_numeric(HEAD, [Number("1/3")]), {"number_rounded"}),
    "a far number": (build_numeric(HEAD, [Number("1e400", "relative", "0.1")]), set()),
    "no number": (build_numeric(HEAD, [Number("some", "relative", "0.1")]), {"number_unreadable"}),
    "no factor": (
        build_numeric(HEAD, [Number("1")], unit="optional", units={"m": "0"}),
        {"number_unreadable"},
    ),
    "words on units": (build_numeric(told("no_unit"), [Number("1")]), {"unit_feedback_left_out"}),
    "a scoring method of pairs": (
        build_matching(HEAD, [("a", "1"), ("b", "2")], scoring_method="all_or_nothing"),
        {"scoring_method_left_out"},
    ),
    "markup on the right": (
        build_matching(HEAD, [("a", "**1**"), ("b", "2")]),
        {"markup_left_out"},
    ),
    "feedback on a left": (
        add_row_feedback(PAIRS, "en", "lefts", {"left-1": "No"}),
        {"feedback_left_out"},
    ),
    "feedback on an item": (
        add_row_feedback(ORDER, "en", "items", {"a": "No"}),
        {"feedback_left_out"},
    ),
    "a longest run": (
        build_ordering(HEAD, ["a", "b"], scoring_method="longest_run"),
        {"scoring_method_left_out"},
    ),
    "gaps for all or nothing": (
        build_cloze(
            replace(HEAD, prompt="[[x]] [[y]]"),
            [
                Gap("x", options=[RIGHT, WRONG]),
                Gap("y", accepted=[Accepted("a", pattern=True)], comparison=COUNTS),
            ],
            scoring_method="all_or_nothing",
        ),
        {"scoring_method_left_out", "pattern_left_out"},
    ),
    "two markers": (rubric(build_essay(HEAD)), {"rubric_left_out"}),
    "a file that is not there": (
        build_essay(replace(HEAD, prompt="![x](media:x.png)")),
        {"media_missing"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_lost_is_named_once(name):
    question, codes = CASES[name]
    losses = moodle.write(parcel(question), language="en").warnings
    assert [loss.code for loss in losses] == sorted(codes, key=[loss.code for loss in losses].index)
    assert {loss.question for loss in losses} <= {"q"}


def test_what_is_said_otherwise_is_an_answer_that_takes_all():
    question = build_short_text(told("otherwise"), [Accepted("Fe")], **COUNTS)
    written = moodle.write(parcel(question), language="en")
    assert b"<text>*</text>" in written.data
    (again,) = moodle.read(written.data, language="en").questions
    assert any_.same(again) == any_.same(question)


def test_other_words_for_true_are_named():
    words = {text: {"en": "Right"} for text in TRUTH.tables["options"][0].texts}
    first, second = TRUTH.tables["options"]
    question = replace(TRUTH, tables={"options": (replace(first, texts=words), second)})
    written = moodle.write(parcel(question), language="en")
    assert [loss.code for loss in written.warnings] == ["words_left_out"]


def test_rows_called_by_ids_are_written_by_what_they_stand_for():
    options = tuple(
        replace(row, name=f"id{n}", values={**row.values, "value": n == 0})
        for n, row in enumerate(TRUTH.tables["options"])
    )
    written = moodle.write(parcel(replace(TRUTH, tables={"options": options})), language="en")
    (again,) = moodle.read(written.data, language="en").questions
    assert any_.same(again) == any_.same(TRUTH)


@pytest.mark.parametrize(
    ("number", "value", "margin"),
    [
        (Number("2", "range", "5"), "3.5", "1.5"),
        (Number("200", "relative", "0.05"), "2E+2", "1E+1"),
        (Number("2.50", "digits", "3"), "2.5", "0.005"),
        (Number("1/4", "absolute", "1/8"), "0.25", "0.125"),
    ],
)
def test_every_tolerance_becomes_an_amount_around_a_middle(number, value, margin):
    written = moodle.write(parcel(build_numeric(HEAD, [number])), language="en")
    (again,) = moodle.read(written.data, language="en").questions
    (row,) = again.tables["numbers"]
    assert Fraction(str(row.values["value"])) == Fraction(value)
    assert Fraction(str(row.values["margin"])) == Fraction(margin)


def test_files_go_with_their_text_and_come_back_under_the_same_name():
    first = moodle.read(
        b"<quiz><question type='essay'><name>q</name><questiontext format='html'>"
        b"<text>&lt;img src='@@PLUGINFILE@@/a.png' alt='A'&gt;</text>"
        b"<file name='a.png' encoding='base64'>aGVsbG8=</file></questiontext></question></quiz>",
        language="en",
    )
    written = moodle.write(first, language="en")
    second = moodle.read(written.data, language="en")
    assert written.warnings == ()
    assert list(second.media.values()) == [b"hello"]
    assert prompt(second.questions[0]).startswith("![A](media:a-")


def test_points_and_what_came_to_nothing():
    item = SourceItem(
        1, 1, "q", "essay", ImportStatus.IMPORTED, build_essay(HEAD), points=Fraction(3, 2)
    )
    none = SourceItem(2, 2, "x", "random", ImportStatus.REFUSED)
    written = moodle.write(ParsedFile(items=(item, none)), language="en")
    (again,) = moodle.read(written.data, language="en").items
    assert (again.points, again.name) == (Fraction(3, 2), "q")


def test_text_that_xml_cannot_hold_does_not_break_the_file():
    question = build_essay(replace(HEAD, prompt="a\x0bb\ud800c]]><d>&\n\n  e"))
    (again,) = moodle.read(moodle.write(parcel(question), language="en").data).questions
    assert prompt(again) == "abc]]><d>&\n\n  e"


def test_a_gap_of_the_default_kind_is_a_menu():
    question = build_cloze(replace(HEAD, prompt="a [[x]]"), [Gap("x", options=[RIGHT, WRONG])])
    (gap,) = question.tables["gaps"]
    values = {name: value for name, value in gap.values.items() if name != "kind"}
    tables = {**question.tables, "gaps": (replace(gap, values=values),)}
    export = moodle.write(parcel(replace(question, tables=tables)), language="en")
    assert b"{1:MULTICHOICE:=a~%0%b}" in export.data


def test_hints_go_there_and_back_step_by_step():
    question = add_hints(FE, "en", ["Look **closer**", "", "It is a metal"])
    assert [row.name for row in question.tables["hints"]] == ["hint-1", "hint-2"]
    written = moodle.write(parcel(question), language="en")
    assert written.data.count(b"<hint ") == 2
    assert not {warning.code for warning in written.warnings} & {"hints_left_out"}
    (read,) = moodle.read(written.data).questions
    assert [dict(row.texts) for row in read.tables["hints"]] == [
        dict(row.texts) for row in question.tables["hints"]
    ]


def test_a_link_and_what_may_come_early_are_named_as_left_out():
    link = next(text for text in short_text.schema.texts if text.name == "reading_link")
    question = replace(
        FE, texts={**FE.texts, link: {"en": "[a](https://b)"}}, fields={"explanation_safe": True}
    )
    warnings = moodle.write(parcel(question), language="en").warnings
    codes = {warning.code for warning in warnings}
    assert codes >= {"reading_link_left_out", "safe_left_out"}
