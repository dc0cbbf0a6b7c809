"""Layouts of quiz pages that people publish: each question has its options and its right ones."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read_page(page: str) -> list[tuple[str, list[str], list[str]]]:
    """Return the prompt of each item, its options, and the right ones; all must be clean."""
    items = parse_upload(page.encode(), "page.md").items
    assert [item.status in CLEAN for item in items] == [True] * len(items)
    return [
        (
            get_text(item),
            [text for text, _ in list_options(item)],
            [text for text, is_right in list_options(item) if is_right],
        )
        for item in items
    ]


SHUFFLED = """\
## Question 1

Which river reaches Lisbon?

C) Ebro
A) Tajo
B) Duero

**Answer: A**

## Question 2

Which river reaches Porto?

A) Ebro
C) Duero
B) Segura
D) Tajo

**Answer: C**
"""


def test_options_whose_letters_are_in_disorder_are_options_of_their_own() -> None:
    assert read_page(SHUFFLED) == [
        ("Which river reaches Lisbon?", ["Ebro", "Tajo", "Duero"], ["Tajo"]),
        ("Which river reaches Porto?", ["Ebro", "Duero", "Segura", "Tajo"], ["Duero"]),
    ]


def test_letters_in_disorder_stay_where_the_explanation_names_them() -> None:
    page = SHUFFLED.replace("**Answer: A**", "**Answer: A**\n\nC is in the east, B in the north.")
    assert read_page(page)[0][1:] == (["C) Ebro", "A) Tajo", "B) Duero"], ["A) Tajo"])


@pytest.mark.parametrize("word", ["正解", "解答", "答え", "정답", "参考答案"])
def test_a_wide_colon_stands_behind_the_word_for_a_key(word: str) -> None:
    page = (
        f"## 問題1\n\n川はどれですか。\n\nA. 富士山\nB. 利根川\nC. 琵琶湖\n\n**{word}：B**\n\n"
        f"## 問題2\n\n湖はどれですか。\n\nA. 琵琶湖\nB. 利根川\nC. 富士山\n\n**{word}：A**\n"
    )
    assert [right for _, _, right in read_page(page)] == [["利根川"], ["琵琶湖"]]


@pytest.mark.parametrize(
    "key", ["#### Option: C", "**Option C**", "Choice: C", "### Opción C", "Option: `C`"]
)
def test_a_folded_key_may_be_a_heading_that_names_an_option(key: str) -> None:
    page = (
        "**Which river reaches Lisbon?**\n\n- A: `Ebro`\n- B: `Duero`\n- C: `Tajo`\n\n<details>\n"
        f"<summary><b>Answer</b></summary>\n<p>\n\n{key}\n\n</p>\n</details>\n\n"
    )
    again = page.replace("Lisbon", "Toledo")
    assert [right for _, _, right in read_page(page + again)] == [["`Tajo`"], ["`Tajo`"]]


STATEMENTS = """\
### Part A: choice

1. Which river reaches Lisbon?
   a. Ebro
   b. Tajo

   answer: b

---

### Part B: {title}

**Write T or F for each statement.**

2. The Tajo reaches the Atlantic.
answer: {true}
3. The Ebro reaches the Atlantic.
answer: F

### Part C: own words

4. Which sea does the Ebro reach?
answer: Mediterranean

5.

```python
print(river)
```
answer: it has no value
"""


@pytest.mark.parametrize(
    ("title", "true"),
    [("True/False", "T"), ("True or false (2 points)", "T"), ("Verdadero o falso", "V")],
)
def test_letters_of_true_and_false_below_statements_are_keys(title: str, true: str) -> None:
    page = STATEMENTS.format(title=title, true=true)
    items = parse_upload(page.encode(), "page.md").items
    kinds = [item.question.kind for item in items if item.question]
    assert kinds == ["single_choice", "true_false", "true_false", "short_text", "essay"]
    assert [right for _, right in list_options(items[1])] == [True, False]
    assert [right for _, right in list_options(items[2])] == [False, True]
    assert get_text(items[2]) == "The Ebro reaches the Atlantic."
    assert get_text(items[4]) == "```python\nprint(river)\n```"
    assert {item.status for item in items} <= CLEAN


def test_a_letter_without_options_is_no_key_where_nothing_speaks_of_true_and_false() -> None:
    page = STATEMENTS.format(title="statements", true="B")
    items = parse_upload(page.encode(), "page.md").items
    assert [item.question is None for item in items[1:3]] == [True, True]


def test_answers_in_a_list_of_their_own_belong_to_the_questions_above() -> None:
    page = """\
## Theory

#### 1. Which river reaches Lisbon?
a) Ebro
b) Tajo

**Answer: b)** It does.

### 2. True or false

1. Does the Tajo reach the Atlantic?
2. Does the Ebro reach the Atlantic?

**Answers:**
1. **True** - It ends at Lisbon.
2. **False** - It ends near Tortosa.

## Practice

### Question 2: Write a line of code.

Answer:
```python
print(river)
```
"""
    items = parse_upload(page.encode(), "page.md").items
    assert [get_text(item) for item in items] == [
        "Which river reaches Lisbon?",
        "Does the Tajo reach the Atlantic?",
        "Does the Ebro reach the Atlantic?",
        "Write a line of code.",
    ]
    assert [right for _, right in list_options(items[1])] == [True, False]
    assert [right for _, right in list_options(items[2])] == [False, True]
    assert get_text(items[2], "explanation") == "It ends near Tortosa."


QUESTION_BLOCKS = """\
:::::::::::::::: quiz ::::::::::::::::
### Rivers

:::::::: question ::::::::
Which river reaches Lisbon?

- [ ] Ebro
- [x] Tajo

::: hints
- It is the longest one
of the peninsula.
- It passes Toledo.
:::
::::::::::::::::::::::::::

:::::::: question ::::::::
How many countries does it pass?

<input type="number" value="2" min="0"/>

::: hints
- It passes Portugal, too.
:::
::::::::::::::::::::::::::

:::::::: question ::::::::
Which river reaches Porto?

- [x] Duero
- [ ] Ebro
::::::::::::::::::::::::::
"""


def test_blocks_between_colons_are_questions_of_their_own() -> None:
    first, second, third = parse_upload(QUESTION_BLOCKS.encode(), "page.md").items
    assert {first.status, second.status, third.status} == {ImportStatus.IMPORTED}
    assert get_text(first) == "Which river reaches Lisbon?"
    assert list_options(first) == [("Ebro", False), ("Tajo", True)]
    assert first.question
    assert second.question
    hints = [
        words
        for row in first.question.tables["hints"]
        for texts in row.texts.values()
        for words in texts.values()
    ]
    assert hints == ["It is the longest one of the peninsula.", "It passes Toledo."]
    assert get_text(second) == "How many countries does it pass?"
    assert second.question.kind == "short_text"
    assert [row.values["text"] for row in second.question.tables["accepted"]] == ["2"]
    assert list_options(third) == [("Duero", True), ("Ebro", False)]


RIVERS = """\
## Question 1

Which river reaches Lisbon?

A. Ebro
B. Tajo

## Question 2

Which river reaches Porto?

A. Duero
B. Ebro

"""


@pytest.mark.parametrize(
    "keys",
    [
        "# Quiz Answers\n\n1. B\n2. A\n\n---\n\n# In one sentence\n\n> Rivers end in the sea.\n",
        "Answers: 1-b, 2-a\n\n## Further words\n\n1. [Rivers](https://example.org)\n",
        "## 정답\n\n정답은 1-B, 2-A이며 모두 맞다. 결과는 2/2이다.\n",
        (
            "## 参考答案\n\n### 第 1 题\n\n```details\n**答案：B**\n\n因为。\n```\n\n### 第 2 题\n"
            "\n```details\n**答案：A**\n```\n\n### 第 3 题\n\n```details\n**分析**：无。\n```\n"
        ),
        "## Facit\n\n### Fråga 1\n\n**Rätt svar: B**\n\n### Fråga 2\n\n**Rätt svar: A**\n",
    ],
)
def test_keys_at_the_end_are_read_in_more_languages_and_above_other_parts(keys: str) -> None:
    assert read_page(RIVERS + keys) == [
        ("Which river reaches Lisbon?", ["Ebro", "Tajo"], ["Tajo"]),
        ("Which river reaches Porto?", ["Duero", "Ebro"], ["Duero"]),
    ]


def test_a_list_of_keys_above_further_questions_is_none_of_the_page() -> None:
    page = RIVERS + "## Answers\n\n1. B\n2. A\n\n" + RIVERS.replace("river", "lake")
    items = parse_upload(page.encode(), "page.md").items
    assert not {item.status for item in items} & CLEAN


@pytest.mark.parametrize(
    "label", ["第 {} 题（易）", "第{}題", "Fråga {}:", "Вопрос {}.", "질문 {}"]
)
def test_labels_of_other_languages_count_questions(label: str) -> None:
    page = RIVERS.replace("Question 1", label.format(1)).replace("Question 2", label.format(2))
    page += "## Answers\n\n2. A\n1. B\n"
    assert [right for _, _, right in read_page(page)] == [["Tajo"], ["Duero"]]


@pytest.mark.parametrize(
    "page",
    [
        (
            "Which river reaches Lisbon?\n===\n\n- [( )] Ebro\n- [(x)] Tajo\n- [[?]] It is long.\n"
            "\n### Which river reaches Porto?\n\n- [[X]] Duero\n- [[ ]] Ebro\n"
        ),
        (
            "Which river reaches Lisbon?\n\n    [( )] Ebro\n    [(X)] Tajo\n\n"
            "Which river reaches Porto?\n\n    [[x]] Duero\n    [[ ]] Ebro\n"
        ),
        (
            "> [!QUESTION]- Rivers\n>\n> > [!QUESTION]- Which river reaches Lisbon?\n"
            "> > - [ ]Ebro\n> > - [x]Tajo\n>\n> > [!QUESTION]- Which river reaches Porto?\n"
            "> > - [x] Duero\n> > - [ ] Ebro\n"
        ),
        (
            "> [!question] Which river reaches Lisbon?\n> - [ ] Ebro\n> - [x] Tajo\n\n"
            "Some words.\n\n> [!question]+ Which river reaches Porto?\n> - [x] Duero\n"
            "> - [ ] Ebro\n"
        ),
        (
            "# Rivers\n\nSome words\nof a page.\n\n> [!question] Which river reaches Lisbon?\n"
            "> a) Ebro\n"
            "> b) Tajo\n> > [!success]- Answer\n> > b) It does.\n\nOther words.\n\n"
            "> [!question] Which river reaches Porto?\n> a) Duero\n> b) Ebro\n"
            "> > [!success]- Answer\n> > a) It does.\n"
        ),
    ],
)
def test_boxes_of_two_tools_for_notes_and_courses_are_options(page: str) -> None:
    assert read_page(page) == [
        ("Which river reaches Lisbon?", ["Ebro", "Tajo"], ["Tajo"]),
        ("Which river reaches Porto?", ["Duero", "Ebro"], ["Duero"]),
    ]


def test_options_of_html_that_say_whether_they_are_right_are_options() -> None:
    page = "# Rivers\n\n"
    for number, (city, right) in enumerate([("Lisbon", "Tajo"), ("Porto", "Duero")], start=1):
        options = "".join(
            f'    <div class="option" data-correct="{str(river == right).lower()}">\n'
            f'      <span class="letter">{letter})</span> {river} is `<p>`\n    </div>\n'
            for letter, river in zip("ABC", ["Duero", "Ebro", "Tajo"], strict=True)
        )
        page += (
            f'<div class="item" id="q{number}">\n'
            f'  <div class="question">{number}. Which river reaches {city}?</div>\n'
            f'  <div class="options">\n{options}  </div>\n</div>\n'
        )
    names = ["Duero is `<p>`", "Ebro is `<p>`", "Tajo is `<p>`"]
    assert read_page(page) == [
        ("Which river reaches Lisbon?", names, ["Tajo is `<p>`"]),
        ("Which river reaches Porto?", names, ["Duero is `<p>`"]),
    ]


def test_options_that_ran_into_one_line_in_disorder_are_options() -> None:
    page = "".join(
        f"## Question {number}: Rivers\nWhich river reaches {city}?\n"
        "- C. Ebro is 3—long- A. Tajo- B. Duero\n"
        f"**Answer: {letter}** — It does.\n\n---\n\n"
        for number, (city, letter) in enumerate([("Lisbon", "A"), ("Porto", "B")], start=1)
    )
    items = parse_upload(page.encode(), "page.md").items
    assert [list_options(item) for item in items] == [
        [("Tajo", True), ("Duero", False), ("Ebro is 3—long", False)],
        [("Tajo", False), ("Duero", True), ("Ebro is 3—long", False)],
    ]


def test_numbers_without_a_blank_and_bold_italic_options_are_read() -> None:
    page = (
        "<h2>One</h2>\n\n1.Which river reaches Lisbon?\n\nA. Ebro  \n***B. Tajo***  \n\n"
        "**答案：B**\n\n<h2>Two</h2>\n\n2.Which river reaches Porto?\n\n***A. Duero***  \nB. Ebro\n"
        "\n**答案：A**\n"
    )
    assert read_page(page) == [
        ("Which river reaches Lisbon?", ["Ebro", "Tajo"], ["Tajo"]),
        ("Which river reaches Porto?", ["Duero", "Ebro"], ["Duero"]),
    ]


def test_keys_with_letters_on_a_page_without_any_options_are_for_a_person() -> None:
    page = (
        "# Rivers\n\n### 1\ufe0f. Lisbon is reached by:\n\n**Ans: c) The Tajo**\n\n---\n\n"
        "### 2\ufe0f. Which river reaches Porto?\n\n **Ans: b) The Duero**\n"
    )
    items = parse_upload(page.encode(), "page.md").items
    assert [item.status for item in items] == [ImportStatus.REVIEW] * 2
    assert [get_text(item) for item in items] == [
        "Lisbon is reached by:",
        "Which river reaches Porto?",
    ]


def test_a_question_whose_key_names_an_option_that_is_elsewhere_is_for_a_person() -> None:
    page = (
        "## Question 1\nThe river that reaches Lisbon is…\n**Correct answer:** d. The Tajo.\n"
        "**Reason:** It does.\n\n## Question 2\n\nWhich river reaches Porto?\n\n- [x] Duero\n"
        "- [ ] Ebro\n"
    )
    first, second = parse_upload(page.encode(), "page.md").items
    assert first.status is ImportStatus.REVIEW
    assert [note.code for note in first.notes] == ["options_missing"]
    assert get_text(first) == "The river that reaches Lisbon is…"
    assert get_text(first, "explanation").startswith("**Correct answer:** d. The Tajo.")
    assert second.status is ImportStatus.IMPORTED
