"""Pages with boxes and lettered options, whose keys are ticks and lines: all are read at once."""

from quizzes.formats.contract import ImportStatus
from quizzes.formats.detection import find_evidence
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

LETTERED = """### Question {number}
**Which river is long?**

A) Nalón
B) Tajo
C) Nervión

{key}

---

"""
BOXES = """### Question {number}
**The Tajo is longer than river {number}.**

- [X] True
- [ ] False

---

"""
RIVERS = [("Nalón", False), ("Tajo", True), ("Nervión", False)]


def read(text: str):
    return parse_upload(text.encode(), "a.md").items


def write_page(lettered: list[str], boxes: int) -> str:
    parts = [LETTERED.format(number=n, key=key) for n, key in enumerate(lettered, start=1)]
    first = len(lettered) + 1
    return "".join([*parts, *(BOXES.format(number=n) for n in range(first, first + boxes))])


def test_lettered_options_with_their_key_below_are_read_among_boxes():
    items = read(write_page(["**Answer:** B"], 4))
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 5
    assert list_options(items[0]) == RIVERS


def test_a_letter_alone_below_options_is_their_key_among_boxes_with_ticks():
    items = read(write_page(["B"], 3))
    assert len(items) == 4
    assert list_options(items[0]) == RIVERS


def test_a_letter_above_a_rule_is_a_key_and_no_heading():
    text = write_page(["B", "B"], 3).replace("B\n\n---", "B\n---")
    items = read(text)
    assert [list_options(item) for item in items[:2]] == [RIVERS, RIVERS]


def test_what_is_lettered_without_a_letter_below_keeps_the_others_keys():
    open_ = "### Question 9\nCompute:\n\na) 3 + 4 = __\n\nb) 2 + 9 = __\n"
    items = read(write_page(["B", "B"], 2) + open_)
    assert [list_options(item) for item in items[:2]] == [RIVERS, RIVERS]
    assert items[-1].status is not ImportStatus.IMPORTED


def test_options_with_numbers_and_with_letters_are_read_on_one_page():
    text = (
        "### Question 1\nWhich river is long?\n\nA) Nalón\nB) Tajo\n\nAnswer: B\n\n"
        "### Question 2\nWhich river is short?\n\nA) Nalón\nB) Tajo\n\nAnswer: A\n\n"
        "### Question 3\nWhich sea is cold?\n\n1. Red\n2. White\n\nAnswer: 2\n"
    )
    items = read(text)
    assert [list_options(item) for item in items] == [
        [("Nalón", False), ("Tajo", True)],
        [("Nalón", True), ("Tajo", False)],
        [("Red", False), ("White", True)],
    ]


def test_a_list_that_explains_boxes_is_no_question():
    text = (
        "### Q2\n\n**How large is the map?**\n\n- [ ] A) 2\n- [x] B) 3\n\n**Answer:** B\n\n"
        "**Step by step:**\n\nGiven:\n- width: 2\n- margin: 1\n\n**What it does:**\n\nIt adds:\n"
        "- before: 2\n- after: 3\n"
    )
    items = read(text)
    assert [get_text(item) for item in items] == ["How large is the map?"]


def test_of_two_readings_the_one_with_all_questions_of_the_other_is_taken():
    (evidence,) = find_evidence(write_page(["Answer: B"], 30).encode(), "a.txt")
    assert evidence.read_items == 31
