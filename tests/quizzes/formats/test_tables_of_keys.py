"""Tables of keys at the end of a page, whatever their columns are called."""

from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

COLUMNS = ["Q", "Question", "#", "No", "No.", "Nr", "Nr.", "Nº", "N°", "Pregunta", "Item", "Q#"]
COLUMNS += ["Question #", "Q. No.", "Frage", "Pergunta", "Number"]
KEYS = ["Answer", "Key", "Correct", "Ans", "Ans.", "Solution", "Correct Answer", "Respuesta"]
KEYS += ["Correct Option", "Clave", "Antwort", "Réponse", "Resposta", "Letter"]
QUESTIONS = {
    "bold": "**Q{0}. Where is thing {0}?**\n\n- A) Here {0}\n- B) There\n- C) Else\n\n",
    "heading": "### {0}. Where is thing {0}?\n\nA. Here {0}\nB. There\nC. Else\n\n",
    "label": "### Question {0}\n\nWhere is thing {0}?\n\n(a) Here {0}\n(b) There\n(c) Else\n\n",
}
TITLES = ["## Answer Key", "**Answers:**", "<details><summary>Answers</summary>\n", "# Respuestas"]


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def write(rows: list[str], question: str = "bold", title: str = TITLES[0], count: int = 4) -> str:
    questions = "".join(QUESTIONS[question].format(at) for at in range(1, count + 1))
    rule = "|" + "---|" * (rows[0].count("|") - 1)
    return "\n".join([f"{questions}---\n\n{title}\n", rows[0], rule, *rows[1:], ""])


def check(items: tuple[SourceItem, ...], count: int) -> None:
    assert [list_options(item) for item in items] == [
        [(f"Here {at}", False), ("There", True), ("Else", False)] for at in range(1, count + 1)
    ]
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("column", "key"), [*((each, "Answer") for each in COLUMNS), *(("Q", each) for each in KEYS)]
)
def test_a_table_of_keys_is_read_by_its_heads(column, key, question):
    for number, count, title in product(("{}", "Q{}", "**{}**"), (2, 4), TITLES[:2]):
        rows = [f"| {number.format(at)} | **B** | So, since 2 |" for at in range(1, count + 1)]
        items = read(write([f"| {column} | {key} | Why |", *rows], question, title, count))
        check(items, count)
        assert all("So, since 2" in get_text(item, "explanation") for item in items)


@pytest.mark.parametrize("title", TITLES)
def test_the_keys_of_a_table_may_stand_in_any_column(title):
    rows = [f"| {at} | A | B |" for at in range(1, 5)]
    check(read(write(["| # | Section | Correct answer |", *rows], title=title)), 4)


@pytest.mark.parametrize("head", ["| # | Section | Notes |", "| Q | Answer | Correct |"])
def test_a_table_whose_keys_are_in_no_column_for_sure_has_none(head):
    items = read(write([head, *(f"| {at} | A | B |" for at in range(1, 5))]))
    assert not any(is_right for item in items for _, is_right in list_options(item))
    assert not any(item.status is ImportStatus.IMPORTED for item in items)


def test_a_table_of_true_and_false_is_no_list_of_options():
    questions = "".join(f"**{at}. Is it {at}?**\n\n- A) True\n- B) False\n\n" for at in range(1, 4))
    keys = "| Q | Answer |\n|---|---|\n| 1 | True |\n| 2 | False |\n| 3 | True |\n"
    items = read(f"{questions}## Answers\n\n{keys}")
    assert [list_options(item)[0][1] for item in items] == [True, False, True]
    assert len(items) == 3
