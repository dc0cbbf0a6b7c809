"""Pages in the spelling of public repositories: keys, options and what stands below, in place."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    get_text,
    list_codes,
    list_options,
    list_options_with_feedback,
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def list_clean(text: str) -> list[tuple[str, list[tuple[str, bool]]]]:
    items = read(text)
    assert all(item.status in CLEAN for item in items), [
        (list_codes(item), item.remainder) for item in items
    ]
    return [(get_text(item), list_options(item)) for item in items]


RIVERS = [("Tajo", False), ("Ebro", True)]


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_picture_below_each_option_belongs_to_it_below_the_last_one_too(gap):
    pictures = "".join(
        f"- [{box}] Map {name}.\n{gap}![map {name}](https://a.example/{name}.png)\n{gap}"
        for name, box in (("a", " "), ("b", "x"), ("c", " "))
    )
    (item,) = read(f"### Which map shows the Ebro?\n\n{pictures}")
    assert [text.split("![")[0].strip() for text, _ in list_options(item)] == [
        "Map a.",
        "Map b.",
        "Map c.",
    ]
    assert all("![map" in text for text, _ in list_options(item))
    assert get_text(item, "explanation") == ""


def test_a_link_to_the_top_of_the_page_explains_nothing():
    text = "### Which is longer?\n\n- [ ] Tajo\n- [x] Ebro\n\n**[⬆ Back to top](#contents)**\n\n"
    (first, second) = read(f"{text}{text.replace('longer', 'wider')}")
    assert {get_text(item, "explanation") for item in (first, second)} == {""}


def test_a_question_in_brackets_with_its_kind_begins_a_question():
    boxes = "-[ ] Tajo\n-[x] Ebro\n"
    text = f"# Rivers\nWe ask.\n\n?[Which is longer?]\n{boxes}\n?[Which end in a sea?](multiple)\n"
    assert list_clean(f"{text}{boxes}") == [
        ("Which is longer?", RIVERS),
        ("Which end in a sea?", RIVERS),
    ]


def test_what_stands_above_a_rule_at_the_top_is_no_prompt():
    boxes = "   - ( ) Tajo\n   - (x) Ebro\n"
    text = (
        f"# Rivers\n\n* **Author:** Ana\n* **Course:** 2\n\n---\n\n1*. Which is longer?\n\n{boxes}"
    )
    assert list_clean(f"{text}\n3. Which is wider?\n\n{boxes}") == [
        ("Which is longer?", RIVERS),
        ("Which is wider?", RIVERS),
    ]


def test_numbers_with_a_colon_are_names_of_options_and_a_list_in_an_explanation_is_none():
    text = (
        "#### {0}. What is printed {0}?\n\n```js\nlog(1)\n```\n\n- 1: nothing\n- 2: a number\n\n"
        "<details><summary><b>Answer</b></summary>\n<p>\n\n##### Answer: 2\n\nBecause,\n\n"
        "1. it is called.\n2. it returns.\n\n</p>\n</details>\n\n---\n\n"
    )
    items = read(text.format(1) + text.format(2))
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2
    for item in items:
        assert list_options(item) == [("nothing", False), ("a number", True)]
        assert get_text(item, "explanation") == "Because,\n\n1. it is called.\n2. it returns."


def test_a_callout_with_letters_is_the_key_of_options_on_one_line():
    text = (
        "## Rivers\n\n**1.** Which is longer?\nA. Tajo B. Ebro C. Duero\n\n"
        "> [!success]- Answer\n> **B** — by a little.\n\n"
        "**2.** Which two end in the Atlantic? **(Select TWO)**\nA. Tajo B. Ebro C. Duero\n\n"
        "> [!success]- Answer\n> **A, C** — the other ends in the Mediterranean.\n\n## Seas\n"
    )
    first, second = read(text)
    assert (list_options(first)[1], get_text(first, "explanation")) == (
        ("Ebro", True),
        "by a little.",
    )
    assert [is_right for _, is_right in list_options(second)] == [True, False, True]
    assert get_text(second) == "Which two end in the Atlantic? **(Select TWO)**"
    assert get_text(second, "explanation") == "the other ends in the Mediterranean."


def test_keys_at_the_end_with_an_anchor_chapters_and_explanations_are_found():
    ask = "### Question {}\nWhich is longer {}?\n\nA) Tajo  \nB) Ebro  \n\n---\n\n"
    keys = "**{}. Answer: {}** - it is  \n*Explanation:* This is why {}.\n\n"
    rows = [(1, "A"), (2, "B"), (3, "A"), (4, "B"), (5, "A"), (6, "B")]
    text = (
        "".join(ask.format(n, n) for n, _ in rows)
        + '## ✅ Answer Key\n<a id="answers"></a>\n\n### Part 1 (Questions 1-6)\n\n'
        + "".join(keys.format(n, key, n) for n, key in rows)
        + "---\n\nGood luck with it!\n"
    )
    items = read(text)
    assert [list_options(item)[0][1] for item in items] == [key == "A" for _, key in rows]
    assert [item.status for item in items] == [ImportStatus.IMPORTED] * 6
    assert "This is why 6." in get_text(items[5], "explanation")
    assert "Good luck" not in get_text(items[5], "explanation")


def test_a_lettered_option_in_code_among_plain_ones_is_the_key_and_told():
    ask = "Which is longer {}?\n\nA. Tajo\n`B. Ebro`\nC. Duero\n\n"
    items = read(f"1. {ask.format(1)}2. {ask.format(2)}")
    assert [list_options(item)[1] for item in items] == [("Ebro", True)] * 2
    assert [list_codes(item) for item in items] == [["bold_as_key"]] * 2


def test_options_that_are_all_code_are_no_keys():
    ask = "1. Which prints 2?\n\n`A. echo 1`\n`B. echo 2`\n\nAnswer: B\n\n"
    (item,) = read(ask)
    assert list_options(item) == [("echo 1", False), ("echo 2", True)]


class TestWhatStandsBeside:
    def test_a_tick_beside_a_ticked_box_is_no_word_of_the_option(self):
        text = '??? question "Q1. Which is longer?"\n    - [ ] A. Tajo\n    - [x] B. Ebro ✅\n'
        (item,) = read(text)
        assert list_options(item) == [("Tajo", False), ("Ebro", True)]
        assert item.status == ImportStatus.IMPORTED

    def test_a_tick_beside_an_empty_box_is_for_a_person(self):
        (item,) = read("### Which is longer?\n\n- [ ] Tajo ✅\n- [x] Ebro\n")
        assert item.status == ImportStatus.REVIEW
        assert "keys_differ" in list_codes(item)

    def test_a_paragraph_in_brackets_below_options_explains_them(self):
        boxes = "- [ ] Tajo\n- [x] Ebro\n"
        text = f"Which is longer?\n{boxes}\n(It has\n930 km.)\n\nWhich is wider?\n{boxes}\n(So.)\n"
        first, second = read(text)
        assert (get_text(first, "explanation"), get_text(second)) == (
            "(It has\n930 km.)",
            "Which is wider?",
        )
        assert get_text(second, "explanation") == "(So.)"

    def test_what_a_box_says_below_its_key_is_no_prompt_of_the_next_question(self):
        ask = (
            "Which is longer {}?\n\n- **A.** Tajo\n- **B.** Ebro\n\n"
            "<details><summary>Answer &amp; explanation</summary>\n\n**Correct answer: B**\n\n"
            "It has 930 km.\n\n_Why the other misses:_ it has less.\n\n</details>\n\n---\n\n"
        )
        items = read(ask.format(1) + ask.format(2))
        assert [get_text(item) for item in items] == ["Which is longer 1?", "Which is longer 2?"]
        assert all("it has less" in get_text(item, "explanation") for item in items)

    def test_a_box_that_folds_a_whole_question_is_opened(self):
        ask = (
            "<details>\n<summary>One river {} is longer.</summary><br><b>\n\n**Options:**\n"
            "- `A. Yes, Tajo`\n- `B. Yes, Ebro`\n\n**Correct Answer:** `B. Yes, Ebro`\n\n"
            "**Explanation**:  \nIt has 930 km.\n\n</b></details>\n\n\n"
        )
        items = read(ask.format(1) + ask.format(2))
        assert [get_text(item) for item in items] == [f"One river {n} is longer." for n in (1, 2)]
        assert [list_options(item)[1] for item in items] == [("Yes, Ebro", True)] * 2
        assert all("930 km" in get_text(item, "explanation") for item in items)

    def test_a_heading_with_the_number_of_an_answer_explains_the_question_above(self):
        ask = "### Q{0}. Which is longer {0}?\n- [ ] A. Tajo\n- [X] B. Ebro\n\n### A{0}.\n"
        first, second = read(f"{ask.format(1)}\n\n{ask.format(2)}It has 930 km.\n")
        assert [item.status for item in (first, second)] == [ImportStatus.IMPORTED] * 2
        assert (get_text(first, "explanation"), get_text(second, "explanation")) == (
            "",
            "It has 930 km.",
        )


class TestHeads:
    @pytest.mark.parametrize("mark", ["#.", "#. "])
    def test_a_number_that_pandoc_counts_is_no_word(self, mark):
        boxes = "    - [ ] Tajo\n    - [x] Ebro\n"
        text = f"{mark.strip()} Which is longer?\n\n{boxes}\n#. Which is wider?\n\n{boxes}"
        assert list_clean(text) == [("Which is longer?", RIVERS), ("Which is wider?", RIVERS)]

    def test_a_heading_of_html_is_one(self):
        boxes = "- [ ] Tajo\n- [x] Ebro\n"
        ((first, _), (second, _)) = list_clean(
            f"<h3>Length</h3>\n\nWhich is longer?\n\n{boxes}\n<h3>Width</h3>\n\nWhich?\n\n{boxes}"
        )
        assert (first, second) == ("Length\n\nWhich is longer?", "Width\n\nWhich?")

    def test_a_label_with_its_difficulty_begins_a_question(self):
        ask = "**Question {} (easy) — Rivers**\n\nWhich is longer?\n\n- A) Tajo\n- B) Ebro\n\n"
        key = "**Correct answer: B**\n\n"
        items = read(f"Read this first.\n\n{ask.format(1)}{key}{ask.format(2)}{key}")
        assert [get_text(item) for item in items] == ["Rivers\n\nWhich is longer?"] * 2


class TestPagesOfOtherTools:
    def test_tags_around_a_question_are_no_words(self):
        ask = "<quiz>\nWhich is {}?\n\n- [ ] Tajo\n- [x] Ebro\n</quiz>\n\n"
        assert list_clean(ask.format("longer") + ask.format("wider")) == [
            ("Which is longer?", RIVERS),
            ("Which is wider?", RIVERS),
        ]

    def test_an_indented_heading_that_counts_begins_a_question(self):
        ask = "     #### Q{0}. Which is {1}?\n    @@\n    - [ ] Tajo\n    - [x] Ebro\n    @@\n"
        text = f"{ask.format(1, 'longer')}    It has 930 km.\n    @@\n{ask.format(2, 'wider')}"
        first, second = read(text)
        assert [list_options(item) for item in (first, second)] == [RIVERS] * 2
        assert [get_text(item) for item in (first, second)] == [
            "Which is longer?",
            "Which is wider?",
        ]
        assert get_text(first, "explanation").strip() == "It has 930 km."

    def test_a_paragraph_with_a_bold_lead_below_an_option_is_its_feedback(self):
        text = (
            "> **Question 1. Which is longer?**\n>\n> - [ ] A. Tajo\n>\n"
            ">     **Why people say so.** It is long in Portugal, too.\n>\n"
            ">     **If it were so.** Maps would say it.\n>\n> - [x] B. Ebro\n>\n"
            ">     **In full.** It has 930 km.\n"
        )
        (item,) = read(text)
        assert list_options_with_feedback(item) == [
            (
                "Tajo",
                False,
                (
                    "**Why people say so.** It is long in Portugal, too.\n\n"
                    "**If it were so.** Maps would say it."
                ),
            ),
            ("Ebro", True, "**In full.** It has 930 km."),
        ]


class TestBoxesThatAreNoOtherQuestion:
    def test_a_solution_that_repeats_the_options_is_the_key(self):
        ask = (
            "## Question {0}\n\nWhich is longer {0}?\n\n- [ ] a. Tajo\n- [ ] b. Ebro\n\n<details>\n"
            "<summary>Answer</summary>\n\n- [ ] a. Tajo\n- [x] b. Ebro\n</details>\n\n"
        )
        items = read(ask.format(1) + ask.format(2))
        assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2
        assert [list_options(item) for item in items] == [[("Tajo", False), ("Ebro", True)]] * 2

    def test_true_or_false_with_the_answer_again_is_read(self):
        ask = (
            "### Question {0}\n\nTrue or false: rivers end {0}.\n\n- [x] false\n- [ ] true\n\n"
            "✅ RESPOSTA CORRETA: false\n\n> False. Some do not.\n\n---\n\n"
        )
        items = read(ask.format(1) + ask.format(2))
        assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2


PARTS = {
    "a heading for each part": (
        "### {head}\n\nWhich is {0}?\n\n### {options}\n\nA) Tajo\nB) Ebro\n\n"
        "### Correct Answer\n\nB\n\n### Explanation\n\nIt ends in a sea.\n\n"
    ),
    "a heading above boxes": (
        "### {head}\n\nWhich is {0}?\n\n### {options}\n\n- [ ] Tajo\n- [x] Ebro\n\n"
        "### Explanation\n\nIt ends in a sea.\n\n"
    ),
    "a heading with a number above them": (
        "## Question {number}\n\n### {head}\n\nWhich is {0}?\n\n### {options}\n\n"
        "- A) Tajo\n- B) Ebro\n\n### Answer: B\n\n### Explanation\n\nIt ends in a sea.\n\n"
    ),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize(
    ("head", "options"), [("Question", "Answer Options"), ("Pregunta:", "Opciones")]
)
def test_headings_of_the_parts_of_a_question_are_no_words_of_it(name, head, options):
    text = "".join(
        PARTS[name].format(word, number=number, head=head, options=options)
        for number, word in enumerate(("longer", "wider"), start=1)
    )
    assert list_clean(text) == [("Which is longer?", RIVERS), ("Which is wider?", RIVERS)]
    assert all(get_text(item, "explanation").endswith("It ends in a sea.") for item in read(text))


@pytest.mark.parametrize(
    "label", ["__Practice Question__\n\n", "**Question**\n\n", "Q: ", "**Q:** ", "Question: "]
)
@pytest.mark.parametrize(
    "options", ["- [ ] Tajo\n- [x] Ebro\n\n", "A) Tajo\nB) Ebro\nAnswer: B\n\n"]
)
def test_a_label_without_a_number_is_no_word_of_a_prompt(label, options):
    text = f"{label}Which is longer?\n\n{options}{label}Which is wider?\n\n{options}"
    assert list_clean(text) == [("Which is longer?", RIVERS), ("Which is wider?", RIVERS)]


def test_a_dialogue_in_a_prompt_keeps_its_labels():
    text = "### What is said?\n\nQ: Where?\nA: Here.\n\n- [ ] Tajo\n- [x] Ebro\n"
    assert list_clean(text) == [("What is said?\n\nQ: Where?\nA: Here.", RIVERS)]


ORPHANS = {
    "plain": ("{0}. ", "\n\n", "a) Tajo\nb) Ebro\n\nAnswer: b\n\n"),
    "bold": ("**{0}. ", "**\n\n", "a) Tajo\nb) Ebro\n\n**Answer: b**\n\n"),
    "a bold option": ("{0}. ", "\n\n", "   - A. Tajo\n   - **B. Ebro**\n\n"),
}


@pytest.mark.parametrize("name", ORPHANS)
@pytest.mark.parametrize("orphans", [{1}, {3}, {5}, {1, 2}, {2, 4}, {1, 3, 5}])
def test_a_numbered_question_without_options_is_no_part_of_its_neighbour(name, orphans):
    before, after, options = ORPHANS[name]
    text = "# Rivers\n\n" + "".join(
        f"{before.format(number)}Which is {word}?{after}{'' if number in orphans else options}"
        for number, word in enumerate(("longer", "wider", "deeper", "older", "near"), start=1)
    )
    items = read(text)
    assert [not item.question for item in items] == [number in orphans for number in range(1, 6)]
    for item, word in zip(items, ("longer", "wider", "deeper", "older", "near"), strict=True):
        if item.question:
            assert (get_text(item), list_options(item)) == (f"Which is {word}?", RIVERS)
            assert item.status in CLEAN
        else:
            assert (list_codes(item), word in item.notes[0].quote) == (["options_missing"], True)


@pytest.mark.parametrize(
    "prompt",
    [
        "Which order is right?\n\n1. Plan\n\n2. Do",
        "#### 1. Which order is right?\n\n1. Plan\n\n2. Do",
        "**Question 1:** Which order is right?\n\n1. Plan\n\n2. Do",
    ],
)
def test_a_numbered_list_in_a_prompt_is_of_no_questions(prompt):
    (item,) = read(f"{prompt}\n\na) Tajo\nb) Ebro\n\nAnswer: b\n")
    assert get_text(item) == "Which order is right?\n\n1. Plan\n\n2. Do"
    assert list_options(item) == RIVERS
