"""Layouts in which authors write loosely: lazy numbers, boxes without bullets, titles of parts."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options, list_texts

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
EBRO = [("Tajo", False), ("Ebro", True)]


def read(text: str) -> tuple[SourceItem, ...]:
    items = parse_upload(text.encode(), "quiz.md", language="en").items
    assert not any(item.remainder for item in items)
    return items


def read_clean(text: str) -> list[tuple[str, list[tuple[str, bool]]]]:
    items = read(text)
    assert {item.status for item in items} <= CLEAN
    return [(get_text(item), list_options(item)) for item in items]


BOXES = "   - [ ] Tajo\n   - [x] Ebro"


@pytest.mark.parametrize("number", ["1.", "#."])
@pytest.mark.parametrize("answer", ["", "The Duero\n\n"])
def test_an_open_question_among_lazy_numbers_is_no_part_of_the_next(number, answer):
    parts = [f"Which is {word}?\n\n{BOXES}" for word in ("long", "wide")]
    parts.insert(1, f"Which is short?\n\n{answer}".rstrip())
    items = read("\n\n".join(f"{number} {part}" for part in parts))
    choices = [item for item in items if item.question and list_options(item)]
    assert [get_text(item) for item in choices] == ["Which is long?", "Which is wide?"]
    assert len(items) == 3
    assert items[1].status is not ImportStatus.IMPORTED


def test_a_lazily_numbered_list_within_a_prompt_stays_in_it():
    part = f"Read on:\n1. A river\n1. A lake\n\nWhich is right?\n\n{BOXES}"
    texts = [text for text, _ in read_clean(f"1. {part}\n\n1. {part}")]
    assert all("A lake" in text for text in texts)


def test_entries_above_the_one_with_boxes_are_not_its_prompt():
    text = (
        "* Lakes\n\t* Sanabria\n* What is a delta?\n\t* Land at a mouth\n"
        "* Which river is long?\n\t* [ ] Tajo\n\t* [x] Ebro\n"
        "* Which river is wide?\n\t* [ ] Tajo\n\t* [x] Ebro\n"
    )
    assert read_clean(text) == [("Which river is long?", EBRO), ("Which river is wide?", EBRO)]


def test_entries_without_lists_of_their_own_stay_in_the_prompt():
    text = "- The Tajo is wide\n- Which river is long?\n  - [ ] Tajo\n  - [x] Ebro\n"
    ((prompt, options),) = read_clean(text)
    assert "The Tajo is wide" in prompt
    assert options == EBRO


@pytest.mark.parametrize("tick", ["[ x ]", "[x ]", "[ X]", "[*]"])
@pytest.mark.parametrize("lead", ["> 1 - ", "## ", "1. "])
def test_a_bare_box_may_be_wide_or_have_a_star(tick, lead):
    prompts = [f"{lead}Which river is long? (Select all)", f"{lead}Which is wide?"]
    text = "\n\n".join(f"{each}  \n  [ ] Tajo  \n  {tick} Ebro  " for each in prompts)
    assert read_clean(text) == [
        ("Which river is long? (Select all)", EBRO),
        ("Which is wide?", EBRO),
    ]


def test_starred_boxes_are_no_list_of_tasks():
    text = "# Rivers of Spain\n[*] Ebro\n[ ] Danube\n[*] Tajo\n"
    options = [("Ebro", True), ("Danube", False), ("Tajo", True)]
    assert read_clean(text) == [("Rivers of Spain", options)]


def test_a_star_in_brackets_alone_is_no_box():
    text = f"# Rivers\n\n[*] See the map.\n\n1. Which river is long?\n\n{BOXES}\n"
    assert [options for _, options in read_clean(text)] == [EBRO]


def test_a_question_of_a_quiz_extension_that_lets_several_be_chosen_is_no_task():
    text = "?[The long rivers.](multiple)\n- [x] Tajo\n- [x] Ebro\n- [ ] Miera\n"
    ((prompt, options),) = read_clean(text)
    assert prompt == "The long rivers."
    assert [right for _, right in options] == [True, True, False]


@pytest.mark.parametrize("label", ["MSQ1.", "MCQ 1.", "SAQ1:", "MSQ 1 —"])
def test_abbreviations_of_kinds_count_questions(label):
    options = (
        "- [ ] A) Tajo\n- [ ] B) Ebro\n\n**Answer:** B\n\n**Explanation:** It is long.\n\n---\n"
    )
    words = ("long", "wide", "old")
    text = "\n".join(
        f"**{label.replace('1', str(n))} Which is {word}?**\n{options}"
        for n, word in enumerate(words, start=1)
    )
    assert read_clean(text) == [(f"Which is {word}?", EBRO) for word in words]


@pytest.mark.parametrize("title", ["Contexto", "Reading passage", "Scenario"])
def test_a_passage_above_the_title_of_the_prompt_is_a_part_of_it(title):
    text = "".join(
        f"## Question {n}\n\n### {title}\nThe Ebro has {n}30 km.\n\n"
        "### Enunciado\nWhich is long?\n\n"
        "### Opciones\n- [ ] Tajo\n- [x] Ebro\n\n"
        for n in (1, 2)
    )
    items = read_clean(text)
    assert [options for _, options in items] == [EBRO, EBRO]
    assert all("has" in prompt and "Which is long?" in prompt for prompt, _ in items)


@pytest.mark.parametrize("words", [("True", "False"), ("正确", "错误"), ("Đúng", "Sai")])
def test_signs_beside_both_truths_are_no_key(words):
    true, false = words
    text = "".join(
        f"**Question {n}.** The Ebro is long.\n- [ ] ✅ {true}\n- [ ] ❌ {false}\n\n"
        f"Answer: {word}\n\n"
        for n, word in enumerate((true, false), start=1)
    )
    assert [[right for _, right in options] for _, options in read_clean(text)] == [
        [True, False],
        [False, True],
    ]


def test_the_header_of_a_panel_says_that_it_has_the_answer():
    text = (
        "The Ebro is short.\n\n- ( ) True\n- ( ) False\n\n"
        '<panel type="seamless" header="{{ icon }} Answer" minimized>\n\nFalse\n\n</panel>\n'
    )
    assert [right for _, right in read_clean(text)[0][1]] == [False, True]


def test_a_key_below_the_next_number_is_not_of_the_list_above():
    options = "A. Tajo\nB. Ebro\nC. Miera\n\n"
    text = f"5. Which is long?\n{options}6. Which are wide, more or less\n\nAnswer: A, C\n"
    items = read(text)
    choices = [item for item in items if item.question]
    assert not any(right for item in choices for _, right in list_options(item))


def test_a_commented_key_may_call_out_its_letter():
    text = "".join(
        f"## Questão {n}\n\nQual é o rio?\n\n- [ ] A) Tajo\n- [ ] B) Ebro\n\n"
        "## Gabarito Comentado\n\n**Alternativa B!** Tem 930 km.\n\n"
        for n in (1, 2)
    )
    items = read(text)
    assert [list_options(item) for item in items] == [EBRO, EBRO]
    assert all("Tem 930 km." in "".join(list_texts(item.question)) for item in items)


def test_a_bold_word_with_a_full_stop_is_the_title_of_an_answer():
    choice = "**Q{0} (multiple choice).** Which is long?\n\n- a) Tajo\n- ✅ b) Ebro\n\n"
    text = f"{choice.format(1)}**Q2 (short answer).** Why is it long?\n\n✅ **Answer.** It bends.\n"
    items = read(text)
    assert [item.status in CLEAN for item in items] == [True, True]
    assert "It bends." in "".join(list_texts(items[1].question))


def test_a_box_of_notes_may_count_its_questions_by_a_word_of_its_own():
    text = "\n\n".join(
        f"> [!question] 选择题 {n}\n> Which is long？\n> - [ ] A. Tajo\n> - [ ] B. Ebro\n>\n"
        "> > [!success]- Open\n> > 正确答案: B"
        for n in (1, 2)
    )
    assert read_clean(text) == [("Which is long？", EBRO), ("Which is long？", EBRO)]


@pytest.mark.parametrize("mark", ["{}).", "{}.)"])
def test_a_number_may_have_a_bracket_and_a_full_stop(mark):
    text = "\n\n".join(
        f"{mark.format(n)} Which river is {word}?\n\n- [ ] Tajo\n- [x] Ebro\n\n"
        f"<details><summary>Explanation</summary>\nIt is {word}.\n</details>"
        for n, word in enumerate(("long", "wide", "deep"), 1)
    )
    prompts = [f"Which river is {word}?" for word in ("long", "wide", "deep")]
    assert [prompt for prompt, _ in read_clean(text)] == prompts


@pytest.mark.parametrize(
    "prompt",
    [
        "Which of the rivers below is long",
        "How do the rivers bend in spring",
        "What does the Ebro carry in spring",
        "When should a river be dredged",
        "Quelle rivière est la plus longue",
        "Welcher Fluss ist der längste",
    ],
)
def test_a_prompt_may_ask_without_a_question_mark(prompt):
    items = read(f"# Quiz\n\n{prompt}\n\n- [ ] Tajo\n- [x] Ebro\n")
    assert [(item.status in CLEAN, list_options(item)) for item in items] == [(True, EBRO)]


def test_how_to_do_something_asks_nothing():
    items = read("# Steps\n\nHow to release a version of it\n\n- [ ] Tag it\n- [x] Build it\n")
    assert [item.status for item in items] == [ImportStatus.REVIEW]


@pytest.mark.parametrize("heading", ["## quiz", "## 6. Quiz", "## 6. Rivers of the north"])
def test_a_name_or_number_of_a_chapter_is_no_part_of_its_questions(heading):
    parts = "\n\n".join(
        f"{n}. Which river is {word}?\n\n   - [ ] Tajo\n   - [x] Ebro"
        for n, word in enumerate(("long", "wide", "deep"), 1)
    )
    prompts = [f"Which river is {word}?" for word in ("long", "wide", "deep")]
    assert [prompt for prompt, _ in read_clean(f"{heading}\n\n{parts}\n")] == prompts


@pytest.mark.parametrize("number", ["{}. ", "### Question {}\n\n"])
def test_entries_beside_the_only_box_of_each_list_are_wrong_options(number):
    prompts = ["Which river is long?", "The long one is:"]
    lists = ["- Tajo\n- [x] Ebro\n- Nalón", "- [x] Ebro\n- Tajo\n- Nalón"]
    pairs = enumerate(zip(prompts, lists, strict=True), 1)
    text = "\n\n".join(f"{number.format(at)}{prompt}\n{each}" for at, (prompt, each) in pairs)
    wrong = [("Tajo", False), ("Nalón", False)]
    assert [options for _, options in read_clean(text)] == [
        [wrong[0], ("Ebro", True), wrong[1]],
        [("Ebro", True), *wrong],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Plan\n\n- Draw\n- [x] Read\n- Write\n\n# Notes\n\n- Cut\n- [x] Glue\n- Paint\n",
        "1. Which is long?\n- Tajo\n- [x] Ebro\n- Nalón\n",
    ],
)
def test_entries_beside_boxes_of_tasks_or_of_one_list_are_for_a_person(text):
    assert not any(item.status in CLEAN for item in read(text))


def test_coloured_circles_among_others_are_no_ticks():
    options = "- A) 🟢 Plan → 🟣 Build\n- B) 🟢 Plan → 🟡 Try → 🟣 Build\n- C) 🟡 Try → 🟢 Plan\n"
    pages = "".join(f"**Q{at}.** In which order?\n{options}\n**Answer: B**\n\n" for at in (1, 2))
    for _, choices in read_clean(pages):
        assert choices == [
            ("🟢 Plan → 🟣 Build", False),
            ("🟢 Plan → 🟡 Try → 🟣 Build", True),
            ("🟡 Try → 🟢 Plan", False),
        ]
