"""Points, difficulty and kind beside the words that ask: taken out of a prompt, told, not lost."""

from fractions import Fraction

import pytest

from quizzes.formats.parsing.prompt_details import drop_details, split_details

ASKS = "Which is longer?"
HARD = "**Difficulty:** Hard | **Topic:** Seas"


@pytest.mark.parametrize(
    ("prompt", "points"),
    [
        (f"{ASKS} (5 points)", 5),
        (f"{ASKS} [2 pts]", 2),
        (f"{ASKS} **(2 ptos.)**", 2),
        (f"(1 punto) {ASKS}", 1),
        (f"[0.5 marks] {ASKS}", Fraction(1, 2)),
        (f"*Points: 5*\n\n{ASKS}", 5),
        (f"**Puntos:** 2,5\n\n{ASKS}", Fraction(5, 2)),
        (f"5 points\n{ASKS}", 5),
        (f"{ASKS}\n\n(10 points)", 10),
        (f"(worth 4 points)\n\n{ASKS}", 4),
    ],
)
def test_points_of_a_prompt_are_those_of_its_question(prompt, points):
    details = split_details(prompt)
    assert (details.prompt, details.points, details.left_out) == (ASKS, points, ())


@pytest.mark.parametrize(
    ("prompt", "left_out"),
    [
        (f"Easy\n\n{ASKS}", ("Easy",)),
        (f"🟡 Medium\n\n{ASKS}", ("🟡 Medium",)),
        (f"{ASKS} (Fácil)", ("(Fácil)",)),
        (f"(True/False) {ASKS}", ("(True/False)",)),
        (f"{HARD}\n{ASKS}", (HARD,)),
        (f"Nivel: intermedio\n\n{ASKS}", ("Nivel: intermedio",)),
        (f"Type: MCQ\nDifficulty: ⭐⭐ Medium\n\n{ASKS}", ("Type: MCQ", "Difficulty: ⭐⭐ Medium")),
    ],
)
def test_a_difficulty_and_a_kind_are_left_out_and_quoted(prompt, left_out):
    details = split_details(prompt)
    assert (details.prompt, details.points, details.left_out) == (ASKS, None, left_out)
    assert [note.quote for note in details.list_notes(3)] == list(left_out)


def test_cells_of_a_heading_are_about_the_question_where_some_are_points():
    details = split_details(f"R-01 | Recall | Theory | 3 pts\n\n{ASKS}")
    assert details.prompt == ASKS
    assert details.points == 3
    assert details.left_out == ("R-01 | Recall | Theory | 3 pts",)


@pytest.mark.parametrize(
    "prompt",
    [
        "A diamond is very (hard)",
        "Easy",
        "(5 points)",
        "Who won by 5 points?",
        "Level: 3\nWhat comes next?",
        "Type: int\nHow large is it?",
        "```\n(5 points)\n```",
        "Who scored (at home) 5 points?",
        "Which points (5 of them) are on the line?",
    ],
)
def test_words_that_ask_stay(prompt):
    details = split_details(prompt)
    assert (details.prompt, details.points, details.left_out) == (prompt, None, ())


def test_a_line_is_compared_without_its_details():
    assert drop_details(f"{ASKS} (5 points)") == ASKS
    assert drop_details("**Difficulty:** Easy") == ""
    assert drop_details(ASKS) == ASKS
