"""Prompts of pages of Markdown: the words that ask, without counts, points and difficulty."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import Invalid
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


def test_a_solution_between_options_and_key_is_no_part_of_the_last_option():
    text = (
        "1. Which is longer?\n\n(a) Tajo\n(b) Ebro\n(c) Duero\n\n**{title}:**\n\n"
        "- The Ebro has 930 km.\n\na) Tajo is shorter.\n\n**{answer}:** (b)\n\n"
    )
    for title, answer in (("Solution", "Answer"), ("Solución", "Respuesta")):
        page = text.format(title=title, answer=answer)
        for item in read(page + page.replace("1. Which is longer", "2. Which is wider")):
            assert (item.status, list_options(item)) == (ImportStatus.IMPORTED, RIVERS)
            assert "930 km.\n\na) Tajo is shorter." in get_text(item, "explanation")


def test_a_note_between_options_belongs_to_the_option_above():
    text = "1. Which is longer?\n\nA) Tajo\nB) Ebro\nNote: in Spain.\nC) Duero\n\nAnswer: B\n\n"
    (item, _) = read(text + text.replace("1.", "2."))
    assert list_options(item) == [
        ("Tajo", False),
        ("Ebro\nNote: in Spain.", True),
        ("Duero", False),
    ]


@pytest.mark.parametrize("options", [LETTERS, BOXES])
@pytest.mark.parametrize(
    ("remark", "codes"),
    [("(Exam of 2018)", ["detail_left_out"]), ("(Choose one)", []), ("(Select all)", [])],
)
def test_brackets_beside_a_label_are_left_out_unless_they_tell_how_to_answer(
    remark, codes, options
):
    ask = "### Question {} {}\n\nWhich is longer?\n\n{}"
    for item in read(ask.format(1, remark, options) + ask.format(2, remark, options)):
        assert list_codes(item) == codes
        assert get_text(item).startswith(remark) is not bool(codes)


def test_parts_with_headings_of_one_level_are_a_question():
    page = (
        "# {prompt}\nWhich is longer?\n\n# Code\n```py\nx = 1\n```\n\n# {options}\n{boxes}"
        "# Hint\nLook again.\n\n# Explanation\nIt has 930 km.\n\n"
    )
    for prompt, options in (("Prompt", "Options"), ("Enunciado", "Opciones")):
        text = page.format(boxes=BOXES, prompt=prompt, options=options)
        items = read(text + text.replace("longer", "wider"))
        assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2
        assert get_text(items[0]) == "Which is longer?\n\n\n```py\nx = 1\n```"
        assert get_text(items[1]).startswith("Which is wider?")
        assert [list_options(item) for item in items] == [RIVERS] * 2
        assert "Look again." in get_text(items[0], "explanation")
        assert "It has 930 km." in get_text(items[0], "explanation")


@pytest.mark.parametrize("word", ["Reactivo", "Item", "Ítem"])
def test_headings_that_count_one_list_each_are_labels(word):
    ask = f"## {word} {{}}\n\nWhich is {{}}?\n\n{LETTERS}"
    items = read(ask.format(1, "longer") + ask.format(2, "wider"))
    assert [get_text(item) for item in items] == ["Which is longer?", "Which is wider?"]


def test_headings_that_count_chapters_stay_outside_of_prompts():
    ask = f"Which is {{}}?\n\n{BOXES}"
    text = "## Unit {}\n\n" + ask.format("longer") + ask.format("wider")
    items = read(text.format(1) + text.format(2))
    assert [get_text(item) for item in items] == ["Which is longer?", "Which is wider?"] * 2


def test_the_word_prompt_before_a_question_is_no_part_of_it():
    ask = f"### Pregunta {{}}\n**Enunciado:** ¿Cuál es más {{}}?\n\n{LETTERS}"
    items = read((ask.format(1, "largo") + ask.format(2, "ancho")).replace("Answer", "Respuesta"))
    assert [get_text(item) for item in items] == ["¿Cuál es más largo?", "¿Cuál es más ancho?"]


@pytest.mark.parametrize(
    "question",
    [
        "**Question {n}** — {asks}",
        "{n}. **Question:** {asks}",
        "{n}. **Pregunta:** {asks}",
        "## A{n}.\n\n{asks}",
        "### Pregunta {n} - Nivel Intermedio\n\n{asks}",
    ],
)
def test_labels_leave_neither_dashes_nor_words(question):
    options = "- [ ] A) Tajo\n- [x] B) Ebro\n\n"
    first = question.format(n=1, asks="Which is longer?")
    second = question.format(n=2, asks="Which is wider?")
    items = read(f"{first}\n\n{options}{second}\n\n{options}")
    assert [get_text(item) for item in items] == ["Which is longer?", "Which is wider?"]
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2


def test_headings_of_answers_are_no_labels_of_questions():
    page = "## Q{0}\n\nWhich is longer?\n\n- [ ] A) Tajo\n- [x] B) Ebro\n\n## A{0}\n\nB) Ebro.\n\n"
    items = read(page.format(1) + page.format(2))
    assert [get_text(item) for item in items] == ["Which is longer?"] * 2


def test_a_bold_title_of_several_words_begins_a_solution():
    text = (
        "### Problema {0}\n\n¿Cuál es más largo?\n\nA) Tajo\nB) Ebro\nC) Duero\n\n"
        "**Solución paso a paso:**\n1. El Tajo es corto.\n2. El Duero, también.\n\n"
        "**Respuesta:** B) Ebro.\n\n"
    )
    for item in read(text.format(1) + text.format(2)):
        assert (item.status, list_options(item)) == (ImportStatus.IMPORTED, RIVERS)
        assert "El Duero, también." in get_text(item, "explanation")


@pytest.mark.parametrize(
    ("mine", "right"), [("Your answer", "Correct answer"), ("Tu respuesta", "Respuesta correcta")]
)
def test_a_review_of_what_somebody_answered_is_no_question_with_two_options(mine, right):
    text = "**Q{}.** Which is longer?\n❌ **{}:** b (Tajo)\n✅ **{}:** d (Ebro)\n\n"
    with pytest.raises(Invalid, match="format_unknown"):
        read(text.format(1, mine, right) + text.format(2, mine, right))


@pytest.mark.parametrize("options", [LETTERS, BOXES])
@pytest.mark.parametrize(
    "difference", ["5 - x = 2", "12 – y > 3", "5 - (x + 1) = 2", "8 - x", "7 - x²  is what?"]
)
def test_the_number_of_a_difference_in_a_heading_is_no_label(options, difference):
    (item,) = read(f"## {difference}\n\n{options}")
    assert get_text(item).replace("\\", "") == difference


@pytest.mark.parametrize("options", [LETTERS, BOXES])
@pytest.mark.parametrize("prompt", ["X-rays are what?", "C++ is what?", "A/B testing is what?"])
def test_a_number_before_a_word_with_a_sign_is_a_label(options, prompt):
    (item,) = read(f"## 12 - {prompt}\n\n{options}")
    assert get_text(item).replace("\\", "") == prompt


def test_rows_in_a_listing_stay_as_they_are():
    listing = "```\n| [x] | done |\n| [ ] | open |\n```"
    (item,) = read(f"## What is this?\n\n{listing}\n\n{BOXES}")
    assert listing in get_text(item)


@pytest.mark.parametrize("options", [LETTERS, BOXES])
def test_the_number_of_a_heading_is_a_label(options):
    (item,) = read(f"## 5 - Which is longer?\n\n{options}")
    assert get_text(item) == "Which is longer?"
