"""Result pages: what the page says an answer earned, compared with what it earns here."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.formats import FORMATS
from quizzes.source_scoring import compare_file
from quizzes.source_scoring.rules import NotComparable, UndeterminedScore
from quizzes.source_scoring.transcripts import read_page
from tests.quizzes.source_scoring.test_comparison import change_rows, read, toggle_first

FULL = "1. Where does the Nile end?\n\n1 / 1 point\n\n☐ In Asia\n\n☒ In Egypt\n\n✓ **Correct**\n"
WRONG = "1. Where does the Nile end?\n\n0 / 1 point\n\n☒ In Asia\n\n✗ **Incorrect**\n\n☐ In Egypt\n"
SEVERAL = (
    "1. Which are seas? (Select all that apply)\n\n1 / 1 punto\n\n☒ Baltic\n\n✓ **Correcto**\n\n"
    "☐ Como\n\n☒ Egeo\n\n✓ **Correcto**\n"
)


@pytest.mark.parametrize(("text", "answers"), [(FULL, 3), (WRONG, 3), (SEVERAL, 3)])
def test_a_page_scores_as_it_says(text, answers):
    comparison = read(text, "transcript").comparison
    assert comparison is not None
    assert (comparison.compared, comparison.differences) == (answers, ())


@pytest.mark.parametrize("text", [FULL, WRONG, SEVERAL])
def test_a_reader_that_turned_the_key_of_a_page_is_found_out(text):
    parsed_file = FORMATS["transcript"].read(text.encode(), language="en")
    turned = change_rows(parsed_file, "options", toggle_first)
    (source_item,) = compare_file(text.encode(), "transcript", turned).items
    assert source_item.comparison is not None
    assert source_item.comparison.has_surprise


def test_what_a_part_earned_is_known_of_that_answer_alone():
    rules = read_page(SEVERAL.replace("1 / 1", "0,5 / 1").split("\n"))
    response = rules.slots[0].response

    assert rules.compute({response: ("0", "2")}) == Fraction(1, 2)
    with pytest.raises(UndeterminedScore):
        rules.compute({response: ("0",)})


@pytest.mark.parametrize(
    ("text", "code"),
    [(FULL.replace("☒", "☐"), "no_key"), (FULL.replace("1 / 1 point", ""), "rule_unknown")],
)
def test_a_page_without_points_or_a_choice_has_no_rule(text, code):
    with pytest.raises(NotComparable) as reason:
        read_page(text.split("\n"))
    assert reason.value.code == code


TEXT2QTI = "1. Which?\n[*] this\n[*] that\n[ ] those\n[ ] these\n"


def test_parts_of_several_right_answers_of_text2qti_earn_what_canvas_pays():
    comparison = read(TEXT2QTI, "text2qti").comparison
    assert comparison is not None
    assert comparison.compared > len(comparison.differences) == 0


def test_a_reader_that_paid_nothing_for_a_part_is_found_out():
    parsed_file = FORMATS["text2qti"].read(TEXT2QTI.encode(), language="en")
    (source_item,) = parsed_file.items
    assert source_item.question is not None
    strict = replace(source_item.question, scoring_method="all_or_nothing")
    changed = replace(parsed_file, items=(replace(source_item, question=strict),))
    (source_item,) = compare_file(TEXT2QTI.encode(), "text2qti", changed).items
    assert source_item.comparison is not None
    assert source_item.comparison.has_surprise
