"""Writing QTI 1.2: what the package is like, and what is told as a loss."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.formats import qti12
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    SourceChoice,
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
from quizzes.formats.parsing.packages import Package, open_package
from tests.quizzes.imports.questions import parcel

HEAD = Head(1, "rivers", "en", "Which?")
STRICT = {"spaces": "counted", "punctuation": "counted", "typography": "counted"}
PAIR = [Option("Duero", right=True), Option("Tajo")]
PROMPT = replace(HEAD, prompt="a [[1]] b [[x]]")
WORDS = Gap("x", accepted=[Accepted("a")])


def lost(question: ParsedQuestion) -> set[str]:
    return {loss.code for loss in qti12.write(parcel(question), language="en").warnings}


def document(question: ParsedQuestion, language: str = "en") -> str:
    package = open_package(qti12.write(parcel(question), language=language).data)
    assert isinstance(package, Package)
    assert package.names == ("imsmanifest.xml", "bank-.xml")
    data = package.read("bank-.xml")
    assert isinstance(data, bytes)
    return data.decode()


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        (build_flashcard(HEAD, "back"), {"kind_not_held"}),
        (build_essay(replace(HEAD, language="es")), {"language_missing"}),
        (build_essay(HEAD, minimum=5), {"setting_left_out"}),
        (build_ordering(HEAD, ["a", "b"]), {"scoring_method_left_out"}),
        (
            build_choice(HEAD, SourceChoice(PAIR, many=True, scoring_method="halves")),
            {"scoring_method_left_out"},
        ),
        (
            add_score_feedback(
                build_choice(HEAD, SourceChoice(PAIR, many=True)), "en", {Fraction(1, 2): "x"}
            ),
            {"score_feedback_left_out"},
        ),
        (
            build_matching(HEAD, [("a", "b")], scoring_method="right_minus_wrong"),
            {"scoring_method_left_out"},
        ),
        (build_essay(replace(HEAD, prompt="a\x01b")), {"characters_left_out"}),
        (build_essay(replace(HEAD, prompt="![a](media:x.png)")), {"media_missing"}),
        (build_short_text(HEAD, [Accepted("a")]), {"comparison_stricter"}),
        (build_short_text(HEAD, [Accepted("*a*")], **STRICT), set()),
        (build_short_text(HEAD, [Accepted("a*")], **STRICT), {"wildcard_left_out"}),
        (build_short_text(HEAD, [Accepted("a", pattern=True)], **STRICT), {"pattern_left_out"}),
        (build_short_text(HEAD, [Accepted("a", Fraction(17, 31))], **STRICT), {"share_rounded"}),
        (build_numeric(HEAD, [Number("1/3")]), {"number_rounded"}),
        (build_numeric(HEAD, [Number("1.25", "digits", "3")]), {"digits_left_out"}),
        (build_numeric(HEAD, [Number("one")]), {"number_unreadable"}),
        (
            build_cloze(
                PROMPT,
                [Gap("1", options=PAIR), replace(WORDS, comparison=STRICT)],
                scoring_method="all_or_nothing",
            ),
            set(),
        ),
        (
            build_cloze(
                PROMPT,
                [Gap("1", options=PAIR), Gap("x", numbers=[Number("4")])],
                scoring_method="all_or_nothing",
            ),
            {"scoring_method_left_out"},
        ),
    ],
)
def test_what_the_package_cannot_hold_is_told(question, codes):
    assert lost(question) == codes


def test_gaps_stand_in_the_text_as_names_in_brackets_that_nothing_else_there_is():
    prompt = "See [1] and `[two]`: [[1]], [[two]], [[ok]]"
    gaps = [Gap(mark, options=PAIR) for mark in ("1", "two", "ok")]
    question = build_cloze(replace(HEAD, prompt=prompt), gaps)
    assert "See [1] and &lt;code&gt;[two]&lt;/code&gt;: [gap_1], [gap_2], [ok]" in document(
        question
    )
    (back,) = qti12.read(qti12.write(parcel(question), language="en").data).items
    assert back.status == ImportStatus.IMPORTED
    assert back.question is not None
    assert [row.values["placeholder"] for row in back.question.tables["gaps"]] == [
        "gap_1",
        "gap_2",
        "ok",
    ]
    named = replace(HEAD, prompt="[1] [gap_1] [[1]]")
    assert "[gap_1_]" in document(build_cloze(named, [Gap("1", options=PAIR)]))


def test_pictures_tags_title_and_points_go_along():
    head = replace(HEAD, prompt="![a](media:map.png)", tags=("spain", "water"))
    item = SourceItem(
        1, 1, "rivers", "essay", ImportStatus.IMPORTED, build_essay(head), points=Fraction(5, 2)
    )
    parsed_file = ParsedFile(
        "geo", {"title": {"en": "Rivers & seas"}}, (item,), media={"map.png": b"p", "no.png": b"n"}
    )
    back = qti12.read(qti12.write(parsed_file, language="en").data)
    assert (back.media, back.ignored_lines) == ({"map.png": b"p"}, ())
    assert (back.metadata.title, back.metadata.language) == ("Rivers & seas", "en")
    assert [(item.points, item.name) for item in back.items] == [(Fraction(5, 2), "rivers")]
    assert back.questions[0].tags == ("spain", "water")


def test_what_came_without_a_question_is_not_written():
    refused = ParsedFile(items=(SourceItem(1, 1, "a", "b", ImportStatus.REFUSED),))
    assert qti12.read(qti12.write(refused, language="en").data).items == ()


def test_a_statement_in_other_words_stays_one():
    question = build_true_false(HEAD, right=False, words=("So it is", "Not at all"))
    (back,) = qti12.read(qti12.write(parcel(question), language="en").data).questions
    assert back.kind == "true_false"
    assert [row.values["right"] for row in back.tables["options"]] == [False, True]
    assert [next(iter(row.texts.values()))["en"] for row in back.tables["options"]] == [
        "So it is",
        "Not at all",
    ]


def test_none_of_these_is_an_option_of_its_own_in_the_language_of_the_file():
    head = replace(HEAD, language="es")
    question = build_choice(
        head, SourceChoice([Option("a"), Option("b")], many=False, none_apply=True)
    )
    assert "Ninguna de estas" in document(question, "es")
    (back,) = qti12.read(qti12.write(parcel(question), language="es").data).questions
    assert back.fields["none_apply"] is True
    assert len(back.tables["options"]) == 2


def test_each_pair_pays_its_part_and_all_of_them_by_one_rule_where_only_that_counts():
    pairs = [("a", "1"), ("b", "2"), ("c", "1")]
    assert document(build_matching(HEAD, pairs)).count(">33.333333333333</setvar>") == 3
    assert (
        document(build_matching(HEAD, pairs, scoring_method="all_or_nothing")).count("<setvar") == 1
    )
