"""Texts with gaps, and what is said to a score: built so that they can be published."""

from dataclasses import replace
from fractions import Fraction

import pytest

from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.document import QuestionDocument, find_problems
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    add_row_feedback,
    add_score_feedback,
    build_cloze,
    build_flashcard,
    build_matching,
    build_short_text,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document

HEAD = Head(7, "q", "en", "Take [[one]] and [[two]], [[three]].")
GAPS = [
    Gap("one", options=[Option("a", right=True, feedback="yes"), Option("b")], points=2),
    Gap("two", accepted=[Accepted("iron"), Accepted("fe", Fraction(1, 2), "short")]),
    Gap("three", numbers=[Number("3.14", "absolute", "0.01"), Number("3", feedback="rough")]),
]


def item(question: ParsedQuestion) -> QuestionDocument:
    return build_document(question, {row.name: row.name for row in question.rows}, "en")


def test_a_text_with_gaps_of_each_kind_can_be_published():
    counted = [replace(gap, comparison={"case": "counted"}) for gap in GAPS]
    built = item(build_cloze(HEAD, counted))
    assert find_problems(built) == ()
    gaps = built.content["gaps"]
    assert isinstance(gaps, list)
    assert [gap.get("case") for gap in gaps] == [None, "counted", None]
    assert built.feedback["en"] == {
        "options": {"gap-1-a": "yes"},
        "accepted": {"gap-2-b": "short"},
        "numbers": {"gap-3-b": "rough"},
    }


@pytest.mark.parametrize(
    ("gaps", "credit"),
    [
        ({"gap-1": {"chosen": ["gap-1-a"]}}, Fraction(1, 2)),
        ({"gap-2": {"text": "FE"}}, Fraction(1, 8)),
        (
            {"gap-1": {"chosen": ["gap-1-b"]}, "gap-3": {"typed": "3.14", "language": "en"}},
            Fraction(1, 4),
        ),
    ],
)
def test_each_gap_pays_its_points(gaps, credit):
    built = item(build_cloze(HEAD, GAPS))
    kind = KINDS["cloze"]
    answer = kind.parse(built.content, {"gaps": gaps})
    assert isinstance(answer, dict)
    mark = kind.score(built.content, built.key, answer, "per_gap")
    assert isinstance(mark, ItemScore)
    assert mark.credit == credit


def test_bands_go_to_a_question_of_any_kind_that_is_scored():
    bands = {Fraction(1): "All of it", Fraction(0): " "}
    built = item(add_score_feedback(build_short_text(HEAD, [Accepted("x")]), "en", bands))
    assert built.key["score_feedback"] == [{"id": "band-1", "from": [1, 1]}]
    assert built.feedback["en"]["score_feedback"] == {"band-1": "All of it"}


@pytest.mark.parametrize("bands", [{}, {Fraction(1): ""}])
def test_bands_that_say_nothing_change_nothing(bands):
    question = build_short_text(HEAD, [Accepted("x")])
    assert add_score_feedback(question, "en", bands) == question


def test_a_card_has_no_room_for_bands():
    card = build_flashcard(HEAD, "Back")
    assert add_score_feedback(card, "en", {Fraction(1): "All"}) == card


def test_feedback_goes_to_rows_by_their_names():
    pairs = build_matching(HEAD, [("a", "1"), ("b", "2")])
    built = item(add_row_feedback(pairs, "en", "lefts", {"left-2": "Mind b"}))
    assert built.feedback["en"] == {"lefts": {"left-2": "Mind b"}}
    assert add_row_feedback(pairs, "en", "items", {"left-2": "Mind b"}) == pairs
