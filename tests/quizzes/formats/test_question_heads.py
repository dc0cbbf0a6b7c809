"""Questions in blocks of settings above their boxes, and in listings named for questions."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.cpu_time import measure_growth
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
BOXES = "- [x] Nile\n  > ✅ It is.\n- [ ] Tinto\n  > ❌ It is short.\n"
ASKED = "Which of the **rivers** is long?"


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def write(ask: str, *, boxes: str = BOXES) -> str:
    return f'---\ntype: single\nquestion: {ask}\ntitle: "Question 021"\n---\n\n{boxes}\n'


def assert_read(items: tuple[SourceItem, ...], count: int) -> None:
    assert [get_text(item) for item in items] == [ASKED] * count
    assert [list_options(item) for item in items] == [[("Nile", True), ("Tinto", False)]] * count
    assert all(item.status in CLEAN and not item.remainder for item in items)


@pytest.mark.parametrize("ask", [ASKED, f'"{ASKED}"', f"'{ASKED}'"])
@pytest.mark.parametrize(
    "above", ["", "# File: one.md\n\n", "# Rivers\n\nSome words on rivers.\n\n"]
)
def test_settings_above_boxes_ask(ask, above):
    assert_read(read(above + write(ask)), 1)
    assert_read(read(above + write(ask) + write(ask)), 2)


@pytest.mark.parametrize(
    "name", ["mcq", "quiz", " question", "{quizdown}", "multiple-choice", "markdown quiz"]
)
@pytest.mark.parametrize("margin", ["", "    "])
def test_listings_named_for_questions_are_opened(name, margin):
    listing = f"```{name}\n{write(ASKED)}```\n"
    text = "".join(f"{margin}{line}\n" if line else "\n" for line in listing.split("\n"))
    assert_read(read(f"# Rivers\n\n{text}\n{text}"), 2)


def test_a_statement_in_settings_is_asked_too():
    (item,) = read("---\nquestion: The Nile is long.\n---\n\n- [ ] Yes\n- [ ] Maybe\n- [x] No\n")
    assert (get_text(item), item.status) == ("The Nile is long.", ImportStatus.IMPORTED)


def test_a_listing_of_a_label_alone_above_boxes_is_a_heading():
    text = "".join(
        f"```diff \n@@ Question {count}. {ASKED} @@\n```\n- [x] Nile\n- [ ] Tinto\n\n"
        for count in (1, 2)
    )
    assert_read(read(f"# Rivers\n\n{text}"), 2)


def test_a_label_below_a_heading_that_says_the_same_is_no_question():
    text = f"# Question 4\n\nQuestion 4\n\n{ASKED}\n\n- [x] Nile\n- [ ] Tinto\n\n"
    assert_read(read(text + text.replace("4", "5")), 2)


@pytest.mark.parametrize("mark", ["__", "**"])
def test_a_title_above_true_is_a_setting(mark):
    text = f"### {ASKED}\n\n- [x] Nile\n- [ ] Tinto\n\n{mark}Explain your answer{mark}\n\ntrue\n\n"
    assert_read(read(text + text), 2)


def test_other_listings_and_settings_stay():
    code = "```python\n# - [ ] quiz\nprint(1)\n```\n"
    (item,) = read(f"### What does it print?\n\n{code}\n- [x] 1\n- [ ] 2\n")
    assert "print(1)" in get_text(item)
    text = "---\nquestion: none\nWords that are no setting\n---\n\n### Which?\n\n- [x] a\n- [ ] b\n"
    (item,) = read(text)
    assert get_text(item).endswith("Which?")


def test_long_pages_of_such_blocks_cost_no_more_by_the_line():
    few, many = measure_growth(lambda count: read(write(ASKED) * count), (25, 100))
    assert many < 8 * few
