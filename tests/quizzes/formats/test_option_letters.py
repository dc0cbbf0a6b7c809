"""Letters of options: no words of theirs, unless a text names an option by its letter."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

RIVERS = [("Ebro", False), ("Tajo", True), ("Duero", False)]
CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> SourceItem:
    (item,) = parse_upload(text.encode(), "quiz.md", language="en").items
    return item


def keeps_order(item: SourceItem) -> bool:
    assert item.question
    return item.question.fields["shuffle"] is False


@pytest.mark.parametrize("letter", ["{}) ", "{}. ", "({}) ", "{}: ", "**{})** ", "**{}.** "])
@pytest.mark.parametrize("letters", ["ABC", "abc"])
def test_letters_of_boxes_are_no_part_of_options(letter, letters):
    a, b, c = (letter.format(name) for name in letters)
    item = read(f"Which is the longest?\n\n- [ ] {a}Ebro\n- [x] {b}Tajo\n- [ ] {c}Duero\n")
    assert (item.status, list_options(item)) == (ImportStatus.IMPORTED, RIVERS)
    assert not keeps_order(item)


@pytest.mark.parametrize(
    "options",
    [
        ["A) Ebro", "B) Tajo", "D) Duero"],
        ["B) Ebro", "C) Tajo", "D) Duero"],
        ["A) Ebro", "B. Tajo", "C) Duero"],
        ["A) Ebro", "Tajo", "C) Duero"],
        ["A. Machado", "B. Machado", "Lorca"],
    ],
)
def test_letters_that_do_not_count_are_words(options):
    lines = "".join(f"- [{'x' if at == 1 else ' '}] {text}\n" for at, text in enumerate(options))
    assert [text for text, _ in list_options(read(f"Which?\n\n{lines}"))] == options


BOXES = "Which is long?\n\n- [ ] A) Ebro\n- [ ] B) Tajo\n- [ ] C) Turia\n- [x] D) {}\n"
LETTERS = "1. Which is long?\n\nA) Ebro\nB) Tajo\nC) Turia\nD) {}\n\n**Answer:** D\n"


@pytest.mark.parametrize("page", [BOXES, LETTERS])
@pytest.mark.parametrize(
    "last",
    [
        "Both A and B",
        "A and B",
        "a and b",
        "A, B",
        "Both a) and b)",
        "Options A and B",
        "All but C",
        "Only B",
        "A & B only",
        "(A) or (B)",
        "Neither option B",
    ],
)
def test_options_that_are_named_by_letters_keep_letters_and_order(page, last):
    item = read(page.format(last))
    texts = [("A) Ebro", False), ("B) Tajo", False), ("C) Turia", False), (f"D) {last}", True)]
    assert (list_options(item), keeps_order(item)) == (texts, True)
    assert (item.status, list_codes(item)) == (ImportStatus.REPAIRED, ["letters_kept"])


@pytest.mark.parametrize("page", [BOXES, LETTERS])
@pytest.mark.parametrize(
    "reason",
    [
        "C is wrong: it has 280 km.",
        "Option C has 280 km.",
        "(c) has 280 km.",
        "- **C)** has 280 km.",
        "C. It has 280 km.",
        "B and C are short.",
        "C 则短。",
    ],
)
def test_options_that_an_explanation_names_by_letters_keep_letters_and_order(page, reason):
    item = read(f"{page.format('Duero')}\n**Explanation:**\n{reason}\n")
    assert keeps_order(item)
    assert [text[:3] for text, _ in list_options(item)] == ["A) ", "B) ", "C) ", "D) "]
    assert list_codes(item) == ["letters_kept"]


@pytest.mark.parametrize("page", [BOXES, LETTERS])
@pytest.mark.parametrize(
    "reason", ["A river is long.", "Plan B failed.", "C++ has none.", "Vitamin C, 1 a day (2)."]
)
def test_other_capitals_name_no_option(page, reason):
    item = read(f"{page.format('Duero')}\n**Explanation:** {reason}\n")
    assert not keeps_order(item)
    assert [text for text, _ in list_options(item)] == ["Ebro", "Tajo", "Turia", "Duero"]


@pytest.mark.parametrize(
    "key",
    [
        "**Correct answer: B) Tajo**",
        "**Answer:** B",
        "Answer: Tajo",
        "> [!success]- Answer\n> **Correct Answer: B) Tajo**\n>",
        "<details><summary>Answer</summary>\n\nB) Tajo\n",
    ],
)
def test_a_line_that_says_the_ticks_again_is_a_key_and_no_reason(key):
    end = "\n</details>" if "<details>" in key else ""
    quote = "> " if key.startswith(">") else ""
    item = read(
        f"Which is the longest?\n\n- [ ] A) Ebro\n- [x] B) Tajo\n- [ ] C) Duero\n\n{key}\n"
        f"{quote}It has 1,007 km.\n{end}"
    )
    assert (list_options(item), keeps_order(item)) == (RIVERS, False)
    assert get_text(item, "explanation") == "It has 1,007 km."
    assert item.keys


def test_a_line_that_names_another_option_than_the_ticks_stays_and_is_for_a_person():
    item = read("Which?\n\n- [ ] A) Ebro\n- [x] B) Tajo\n- [ ] C) Duero\n\n**Answer:** C) Duero\n")
    assert item.status not in CLEAN
    assert "Duero" in get_text(item, "explanation")


def test_letters_that_a_site_and_its_author_wrote_go_both():
    item = read(
        "### Question 1\n\nWhich?\n\n- **A.** A. Ebro\n- **B.** B. Tajo ✅\n- **C.** C. Duero\n"
    )
    assert list_options(item) == RIVERS
