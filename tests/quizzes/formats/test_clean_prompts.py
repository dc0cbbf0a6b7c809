"""Prompts of pages of Markdown: the words that ask, without counts, points and difficulty."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

LETTERS = "A) Tajo\nB) Ebro\nC) Duero\n\n**Answer:** B\n\n"
BOXES = "- [ ] Tajo\n- [x] Ebro\n- [ ] Duero\n\n"
RIVERS = [("Tajo", False), ("Ebro", True), ("Duero", False)]


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


@pytest.mark.parametrize("options", [LETTERS, BOXES])
@pytest.mark.parametrize(
    ("question", "points"),
    [
        ("### Question 1.{n}: {asks}", None),
        ("### Question {n} (5 points)\n\n{asks}", 5),
        ("### Question {n} (5 points): {asks}", 5),
        ("{n}. {asks} (2 pts)", 2),
        ("{n}. [2 marks] {asks}", 2),
        ("### Question {n} 🟢 Easy\n\n{asks}", None),
        ("### Question {n}\n**Difficulty:** Easy\n\n{asks}", None),
    ],
)
def test_a_prompt_is_the_words_that_ask(question, points, options):
    first = question.format(n=1, asks="Which is longer?")
    second = question.format(n=2, asks="Which is wider?")
    items = read(f"{first}\n\n{options}{second}\n\n{options}")
    assert [(item.status, item.points) for item in items] == [(ImportStatus.IMPORTED, points)] * 2
    assert [get_text(item) for item in items] == ["Which is longer?", "Which is wider?"]
    assert [list_options(item) for item in items] == [RIVERS] * 2


def test_a_difficulty_in_a_heading_is_told_in_spanish_pages_too():
    options = LETTERS.replace("Answer", "Respuesta")
    (first, second) = read(
        f"### Pregunta 1 (Fácil)\n\n¿Cuál es más largo?\n\n{options}"
        f"### Pregunta 2 (Difícil)\n\n¿Cuál es más ancho?\n\n{options}"
    )
    assert get_text(first) == "¿Cuál es más largo?"
    assert list_codes(first) == list_codes(second) == ["detail_left_out"]
    assert second.notes[0].quote == "(Difícil)"
