"""Questions without options between those that have some: an item of their own, or told."""

from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options, list_texts

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
NUMBERS = {
    "1)": "{}) {}",
    "1.": "{}. {}",
    "**1.**": "**{}.** {}",
    "**1. x**": "**{}. {}**",
    "Q1": "Q{}: {}",
    "###": "### {}. {}",
    "(1)": "({}) {}",
    "1-": "{}- {}",
}
LISTS = {
    "letters": "a) Ebro\nb) Tajo\nAnswer: b\n",
    "bold key": "- A) Ebro\n- B) Tajo\n\n**Answer: B**\n",
    "boxes": "- [ ] Ebro\n- [x] Tajo\n",
    "ticks": "- Ebro\n- Tajo ✅\n",
    "bold": "- Ebro\n- **Tajo**\n",
}
ORDERS = [order for order in product([True, False], repeat=4) if 1 < sum(order) < 4]
PROMPTS = ["Which is it?", "Who was there?", "Where are we?", "When was this?"]
TASKS = ["Explain alpha.", "Describe beta.", "Define gamma here.", "Discuss delta."]


def read(text: str, name: str = "quiz.md") -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), name, language="en").items


def write(number: str, options: str, order: tuple[bool, ...], between: str) -> str:
    return between.join(
        f"{number.format(at + 1, prompt)}\n{options}"
        if has_options
        else number.format(at + 1, task) + "\n"
        for at, (has_options, prompt, task) in enumerate(zip(order, PROMPTS, TASKS, strict=True))
    )


@pytest.mark.parametrize("between", ["", "\n", "\n---\n\n"])
@pytest.mark.parametrize("options", LISTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_question_without_options_is_refused_by_name(number, options, between):
    for order in ORDERS:
        items = read(write(NUMBERS[number], LISTS[options], order, between))
        assert [item.question is not None for item in items] == [*order]
        prompts = [get_text(item) for item in items if item.question]
        assert prompts == [text for text, has in zip(PROMPTS, order, strict=True) if has]
        tasks = [list_codes(item) for item in items if not item.question]
        assert tasks == [["options_missing"]] * order.count(False)
        names = [item.name for item in items if not item.question]
        words = [task.split()[1].strip(".") for task in TASKS]
        assert all(
            word in name
            for name, word in zip(
                names, [w for w, has in zip(words, order, strict=True) if not has], strict=True
            )
        )


@pytest.mark.parametrize("between", ["", "\n", "\n---\n\n"])
@pytest.mark.parametrize("options", LISTS)
def test_without_numbers_it_is_told(options, between):
    for order in ORDERS:
        items = read(write("{1}", LISTS[options], order, between))
        clean = [item for item in items if item.status in CLEAN]
        texts = [text for item in clean for text in list_texts(item.question)]
        tasks = [task for task, has in zip(TASKS, order, strict=True) if not has]
        assert not any(task in text for task in tasks for text in texts)
        codes = {code for item in items for code in list_codes(item)} - {"bold_as_key"}
        assert codes
        assert codes <= {"options_missing", "several_prompts", "question_below"}


def test_a_list_that_counts_in_a_reason_begins_no_question():
    items = read(
        "1. Which?\n- [ ] Ebro\n- [x] Tajo\n\nReason: three things.\n1. It is long.\n"
        "2. It is wide.\n3. It is deep.\n\n2. Who?\n- [x] I\n- [ ] He\n"
    )
    assert [get_text(item) for item in items] == ["Which?", "Who?"]
    assert "3. It is deep." in get_text(items[0], "explanation")


@pytest.mark.parametrize(
    ("task", "gap"),
    [
        ("Explain entropy.", "\n"),
        ("Explica la entropía.", "\n"),
        ("Explain entropy.", "\n\n"),
        ("Why is it so?", "\n\n"),
    ],
)
def test_in_aiken_two_prompts_above_one_list_are_for_a_person(task, gap):
    items = read(
        f"Which?\nA. Ebro\nB. Tajo\nANSWER: B\n\n{task}{gap}Who was it?\nA. I\nB. He\nANSWER: A\n",
        "quiz.aiken",
    )
    assert [item.status for item in items] == [ImportStatus.IMPORTED, ImportStatus.REVIEW]
    assert list_codes(items[1]) == ["several_prompts"]


@pytest.mark.parametrize("number", ["**4.**", "(4)", "4-", "4 –", "__4.__"])
def test_the_number_is_no_part_of_the_prompt(number):
    (item,) = read(f"{number} Which is it?\n\n- [ ] Ebro\n- [x] Tajo\n")
    assert get_text(item) == "Which is it?"
    assert list_options(item) == [("Ebro", False), ("Tajo", True)]


@pytest.mark.parametrize("prompt", ["5 - x = 2: which x?", "(a + b) is what?", "3-phase power is?"])
def test_a_calculation_is_no_number_of_a_prompt(prompt):
    (item,) = read(f"{prompt}\n\n- [ ] Ebro\n- [x] Tajo\n")
    assert get_text(item) == prompt
