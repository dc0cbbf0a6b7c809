"""What stands around the words of a question in pages of Markdown, and is none of them."""

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import Invalid
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

BOXES = "- [ ] Ebro\n- [x] Tajo\n- [ ] Duero\n\n"
LETTERS = "A) Ebro\nB) Tajo\nC) Duero\n\n"
RIVERS = [("Ebro", False), ("Tajo", True), ("Duero", False)]
CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


@pytest.mark.parametrize("rest", ["`<nav>` is an element.", "The tag `<a>` and `<b>` differ."])
def test_tags_in_code_stay_in_the_reason_beside_a_key(rest):
    items = read(f"1. Which?\n   - a) Ebro\n   - b) Tajo\n\n   **Answer:** b) {rest}\n\n2. Why?\n")
    assert get_text(items[0], "explanation") == rest
    assert items[0].status in CLEAN


def test_options_that_are_tags_stay_as_they_are():
    names = ["`<b>`", "`<strong>`", "<b>", "<u>"]
    options = "".join(f"{letter}) {name}\n" for letter, name in zip("ABCD", names, strict=True))
    (item,) = read(f"1. Which?\n{options}\n**Answer:** B\n")
    assert [text for text, _ in list_options(item)] == names


@pytest.mark.parametrize(
    "label",
    ["## {} - ", "## {} – ", "## {}- ", "### سوال {}: ", "### প্রশ্ন {}: ", "## Kysymys {}\n\n"],
)
def test_a_number_before_a_dash_and_other_labels_are_no_words_of_a_prompt(label):
    items = read("".join(f"{label.format(n)}Which is it?\n{BOXES}" for n in (9, 10)))
    assert [get_text(item) for item in items] == ["Which is it?"] * 2


def test_a_heading_that_counts_down_or_calculates_keeps_its_numbers():
    (item,) = read(f"## 5 - 3 = ?\n{BOXES}")
    assert get_text(item) == "5 - 3 = ?"


def test_details_below_the_title_of_a_question_are_left_out():
    details = "**Difficulty:** Easy · **Type:** MCQ"
    (item,) = read(f"### P1. How long?\n\n{details}\n\nSee the map.\n\n{LETTERS}**Answer:** B\n")
    assert "Difficulty" not in get_text(item)
    assert list_codes(item) == ["detail_left_out"]


def test_the_parts_of_a_counted_question_are_no_questions_of_their_own():
    question = (
        '## Pregunta {} (Original - Dificultad 3)\n**ID:** "A-1"\n\n### Enunciado\n¿Cuál?\n\n'
        "### Opciones\n" + BOXES
    )
    items = read(question.format(1) + question.format(2))
    assert [get_text(item) for item in items] == ["¿Cuál?"] * 2
    assert [list_options(item) for item in items] == [RIVERS] * 2


@pytest.mark.parametrize(
    "key",
    [
        "**Tajo** est la bonne réponse.",
        "**B** is the correct answer.",
        "`B` is correct.",
        "**Tajo** es la respuesta correcta.",
        "B is correct: Tajo.",
        "(B) es correcta",
    ],
)
def test_a_key_may_stand_before_its_word(key):
    (item,) = read(f"1. Which?\n\n{LETTERS}## Solution\n\n{key}\n\nIt has 1,007 km.\n")
    assert (item.status, list_options(item)) == (ImportStatus.IMPORTED, RIVERS)


BOLD = "A) Ebro\n**B) Tajo**\nC) Duero\n\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "A is right about the source, but it is short.",
        "A is correct, B is not.",
        "A is right: it begins in the north.",
        "A es correcta en parte.",
        "**Ebro** is the right answer to another question.",
    ],
)
@pytest.mark.parametrize(
    "page", [f"{BOLD}{{}}\n", f"{LETTERS}{{}}\n\nAnswer: B\n", f"{LETTERS}{{}}\nAnswer: B\n"]
)
def test_a_sentence_on_an_option_is_no_key(page, sentence):
    (item,) = read(f"1. Which?\n\n{page.format(sentence)}")
    assert item.question
    assert [is_right for _, is_right in list_options(item)] == [False, True, False]


@pytest.mark.parametrize("key", ["A is correct.", "**Ebro** is the right answer.", "Answer: A"])
def test_a_key_that_names_another_option_than_bold_is_for_a_person(key):
    (item,) = read(f"1. Which?\n\n{BOLD}{key}\n")
    assert item.status is ImportStatus.REVIEW
    assert "keys_differ" in list_codes(item)


@pytest.mark.parametrize("option", ["- {}", "{}) is correct", "**{})** is correct"])
def test_what_an_option_says_of_another_is_no_key(option):
    texts = {"- {}": ["A is correct", "B is wrong"]}.get(option, ["is correct"] * 2)
    names = texts if option == "- {}" else "AB"
    lines = [option.format(name) for name in names]
    (item,) = read(f"1. Which?\n\n{lines[0]} ✅\n{lines[1]}\n")
    assert [is_right for _, is_right in list_options(item)] == [True, False]


def test_the_title_of_what_follows_is_no_reason():
    options = f"{LETTERS}**Answer:** B\n\n"
    first, second = read(f"1. Which?\n{options}**Short Answers:**\n\n2. Why?\n{options}")
    assert get_text(first, "explanation") == ""
    assert (first.end_line, get_text(second)) == (6, "Why?")


@pytest.mark.parametrize("key", ["**Correct answer: B**", "Correct answer: Tajo"])
def test_a_key_below_boxes_is_no_part_of_the_next_prompt(key):
    first, second = read(f"Which?\n\n{BOXES}{key}\n\nWhat else?\n\n{BOXES}")
    assert (get_text(first), get_text(second)) == ("Which?", "What else?")


def test_an_answered_question_above_another_in_bold_is_for_a_person():
    (item,) = read(
        f"**Define the word river, please**\n\nIt flows.\n\n**Which of these is one?**\n\n{BOXES}"
    )
    assert list_codes(item) == ["several_prompts"]


def test_a_listing_between_two_bold_lines_is_what_they_ask_about():
    listing = "```py\nx = 1\n```"
    (item,) = read(f"**Look at this listing first**\n\n{listing}\n\n**Which is x now?**\n\n{BOXES}")
    assert item.status is ImportStatus.IMPORTED


@pytest.mark.parametrize(
    "listing",
    [
        "```\n::Q:: Which? {=Tajo ~Ebro}\n```",
        "```gift\nWhich? {=Tajo ~Ebro}\n```",
        '```xml\n<quiz><question type="shortanswer"></question></quiz>\n```',
    ],
)
def test_a_question_in_a_listing_below_boxes_is_told(listing):
    (item,) = read(f"Which?\n\n{BOXES}{listing}\n")
    assert (item.status, list_codes(item)) == (ImportStatus.REPAIRED, ["question_in_listing"])


@pytest.mark.parametrize("listing", ["```js\nconst x = {};\n```", "```\nprint(x)\n```"])
def test_a_listing_of_a_program_is_not(listing):
    (item,) = read(f"Which?\n\n{BOXES}{listing}\n")
    assert list_codes(item) == []


def test_a_page_whose_first_line_is_a_quiz_is_no_moodle_xml():
    page = f"<quiz>\nWhich?\n{BOXES}It is long.\n</quiz>\n".encode()
    format_ = detect_format(page, "page.md")
    assert format_ is not None
    assert format_.name == "checklist"
    (item,) = read(page.decode())
    assert (list_options(item), get_text(item, "explanation")) == (RIVERS, "It is long.")


@pytest.mark.parametrize(
    "data",
    [
        b'<quiz><question type="category"/></quiz>',
        b'<?xml version="1.0"?>\n<quiz></quiz>',
        '<?xml version="1.0" encoding="UTF-16"?><quiz></quiz>'.encode("utf-16"),
    ],
)
def test_moodle_xml_is_detected_by_its_declaration_or_a_question(data):
    assert FORMATS["moodle-xml"].detect(data, "quiz.xml")


def test_a_paragraph_that_asks_between_two_keyed_lists_begins_another_question():
    ask = (
        "Look at these. <br>\nWhich are long? <br>\nsee example.com <br>\n\n1. Ebro\n2. Po\n----\n"
    )
    first, second = read(f"## Which is long?\n\n{BOXES}<br>\n\n{ask}- [ ] 1 only\n- [x] 1 and 2\n")
    assert (list_options(first), len(list_options(second))) == (RIVERS, 2)
    assert get_text(second).startswith("Look at these.")


@pytest.mark.parametrize("number", ["1.", "1)"])
def test_numbered_options_may_be_named_by_the_letters_that_a_page_shows(number):
    options = "".join(f"{at}{number[1]} {name}\n" for at, (name, _) in enumerate(RIVERS, start=1))
    ask = '#### {}. Which is long?\n\n<div class="upper-alpha" markdown>\n' + options + "</div>\n\n"
    key = '??? question "Show Answer"\n    The correct answer is **B**. It has 1,007 km.\n\n---\n\n'
    items = read((ask + key).format(1) + (ask + key).format(2))
    assert [list_options(item) for item in items] == [RIVERS] * 2
    assert all("1,007 km" in get_text(item, "explanation") for item in items)


def test_an_answer_in_words_names_no_numbered_option_by_a_letter():
    page = "### Question 1\n\nWhich?\n\n1. Ebro\n2. Tajo\n\nAnswer: A river is long\n"
    try:
        items = read(page)
    except Invalid:
        return
    assert not any(
        is_right for item in items if item.question for _, is_right in list_options(item)
    )


def test_a_heading_below_lettered_options_is_no_part_of_the_last():
    page = "## 🟧 Question {}\n\n❓ Which?\n\n* A. Ebro\n* B. Tajo\n* C. Duero\n\n"
    page += "### My Answer:\n* **C**❌\n\n* CORRECT ANSWER: **B**\n* It is.\n\n"
    items = read(page.format(1) + page.format(2))
    assert [list_options(item) for item in items] == [RIVERS] * 2
    assert [get_text(item) for item in items] == ["❓ Which?"] * 2


def test_a_break_at_the_end_of_a_lettered_option_is_no_word_of_it():
    (item,) = read("**1.** Which?\n(a) Ebro\\\n(b) Tajo\\\n(c) Duero\n\nCorrect Answer: **b**\n")
    assert list_options(item) == RIVERS


def test_boxes_in_a_table_above_the_options_are_another_question_for_a_person():
    row = "|<ul><li> - [ ] Po </li> | <ul><li> - [x] Ebro </li> |"
    (item,) = read(f"## Quiz\n\nWhich?\n\n| | |\n|-|-|\n{row}\n\nWhich else?\n\n{BOXES}")
    assert (item.status, list_codes(item)) == (ImportStatus.REVIEW, ["key_in_prompt"])
