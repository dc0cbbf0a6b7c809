"""Keys that repeat an option or set its word off, verdicts in brackets, and quoted boxes."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read_clean(text: str):
    items = parse_upload(text.encode(), "a.md").items
    assert {item.status for item in items} <= CLEAN
    return items


@pytest.mark.parametrize("title", ["**Correct answer:**", "Answer:", "**Respuesta correcta:**"])
def test_an_option_that_a_title_of_a_key_repeats_with_a_tick_is_right(title):
    text = "".join(
        f"**{number}. River {number} is ______ long.**\n\n* [ ] very\n* [ ] hardly\n* [ ] never\n\n"
        f"{title}\n* [x] {right}\n\n"
        for number, right in enumerate(["very", "never", "hardly"], start=1)
    )
    rights = [
        [option for option, is_right in list_options(item) if is_right] for item in read_clean(text)
    ]
    assert rights == [["very"], ["never"], ["hardly"]]


@pytest.mark.parametrize(
    "key", ["**False.** It is short.", "False, it is short", "False — it is short", "**False**: no"]
)
def test_a_key_of_two_words_may_have_its_reason_behind(key):
    text = (
        "### 4. The Tajo is short.\n\n- [ ] True\n- [ ] False\n\n"
        f"<details>\n<summary>Answer</summary>\n\n{key}\n\n</details>\n"
    )
    (item,) = read_clean(text)
    assert [option for option, is_right in list_options(item) if is_right] == ["False"]


def test_options_of_several_words_are_not_named_by_the_first_one():
    text = (
        "### 4. Which holds?\n\n- [ ] True for all\n- [ ] False for all\n\n"
        "<details>\n<summary>Answer</summary>\n\nFalse, it is short\n\n</details>\n"
    )
    (item,) = parse_upload(text.encode(), "a.md").items
    assert item.status is ImportStatus.REVIEW


def test_a_key_in_brackets_behind_an_option_marks_it():
    text = (
        "**R-1** Which river is long?\n\n- A. Nalón\n  _Reason:_ No.\n- B. Tajo **(key)**\n"
        "  _Reason:_ Yes.\n\n**R-2** Which rivers are wet?\n\n- A. Nalón **(key)**\n"
        "  _Reason:_ Yes.\n- B. Tajo **(key)**\n  _Reason:_ Yes.\n- C. None\n  _Reason:_ No.\n"
    )
    first, second = read_clean(text)
    assert [is_right for _, is_right in list_options(first)] == [False, True]
    assert [is_right for _, is_right in list_options(second)] == [True, True, False]


def test_boxes_in_a_quotation_take_the_key_below_it():
    text = (
        "### Access\n\n> [!NOTE]\n> **Statement:** Everyone reads it.\n>\n> - [ ] True\n"
        "> - [ ] False\n\n<details>\n<summary>Reveal answer</summary>\n\n**Correct:** False\n"
        "</details>\n"
    )
    (item,) = read_clean(text)
    assert [option for option, is_right in list_options(item) if is_right] == ["False"]
    assert "[!NOTE]" not in get_text(item)
