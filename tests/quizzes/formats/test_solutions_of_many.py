"""Pages of solutions below headings, of one question and of many: all keys, no further items."""

from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

COUNTS = (1, 2, 4, 3, 9)
LABELS = [
    "### Question {}",
    "### Q{}",
    "**Question {}**",
    "#### Pregunta {}",
    "### Frage {}",
    "### 🔷 Q{}",
    "### 🔷 Question {}",
    "## {}.",
    "### 📝 Question {}:",
]
TITLES = [
    "## Answers",
    "## ✔️ Answers and Rationales",
    "## Answer Key",
    "## Solutions",
    "# Respuestas",
    "## Lösungen",
    "## Corrigé",
    "**Answers:**",
    "## 🔑 Answer Key & Explanations",
]
KEYS = ["**Answer: B**", "Answer: B", "**Correct answer:** B) There", "**Respuesta:** B"]
REASONS = [
    "",
    "\n**Rationale:** So it is.\n",
    "\nSo it is.\n\n1. As told.\n2. Again.\n",
    "\n**Explanation:**\n\n- So it is\n- In 2 of 3 cases\n",
    "\n**Explanation**\n\nSo it is.\n\n---\n",
]


def write(count: int, label: str, title: str, key: str, reason: str) -> str:
    questions = "".join(
        f"{label.format(at)}\n\nWhere is thing {at}?\n\nA) Here {at}\nB) There\nC) Else\n\n---\n\n"
        for at in range(1, count + 1)
    )
    keys = "".join(f"{label.format(at)}\n\n{key}\n{reason}\n" for at in range(1, count + 1))
    return f"# Practice\n\n---\n\n{questions}{title}\n\n{keys}"


def check(text: str, count: int, reason: str) -> None:
    items = parse_upload(text.encode(), "quiz.md", language="en").items
    assert [get_text(item) for item in items] == [
        f"Where is thing {at}?" for at in range(1, count + 1)
    ]
    assert [list_options(item) for item in items] == [
        [(f"Here {at}", False), ("There", True), ("Else", False)] for at in range(1, count + 1)
    ]
    assert {item.status for item in items} == {ImportStatus.IMPORTED}
    if reason:
        assert all("So it is" in get_text(item, "explanation") for item in items)


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("label", LABELS)
def test_all_keys_of_a_page_of_solutions_are_read(label, reason):
    for count, key in product(COUNTS[::2], KEYS):
        check(write(count, label, TITLES[0], key, reason), count, reason)


@pytest.mark.parametrize("reason", REASONS[:2])
@pytest.mark.parametrize("title", TITLES)
def test_the_title_of_solutions_has_many_spellings(title, reason):
    for count, label in product((1, 4), LABELS[:3]):
        check(write(count, label, title, KEYS[0], reason), count, reason)


def test_the_source_of_a_question_beside_its_label_is_no_part_of_its_prompt():
    text = write(4, "### 🔷 Q{} (SET-2.1, K2)", TITLES[1], KEYS[0], REASONS[1])
    check(text, 4, REASONS[1])


def test_a_page_of_solutions_is_read_in_linear_time():
    text = write(3000, "### Question {}", TITLES[0], "**Answer:** 7", "\n**Explanation**\n\nNo.\n")
    parse_upload(text.encode(), "quiz.md", language="en")
