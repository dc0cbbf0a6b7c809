"""Keys as a letter alone, a difference, a comment or cells of a table, and what is none."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import Invalid
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
RIVERS = [("Ebro", False), ("Tajo", True), ("Duero", False)]
PEOPLE = [("Ann", True), ("Bob", False)]


def read(text: str) -> tuple[SourceItem, ...]:
    try:
        return parse_upload(text.encode(), "quiz.md", language="en").items
    except Invalid:
        return ()


def list_clean(text: str) -> list[SourceItem]:
    return [item for item in read(text) if item.status in CLEAN]


def check_both(text: str) -> None:
    first, second = read(text)
    assert (get_text(first), get_text(second)) == ("Which is long?", "Who is old?")
    assert (list_options(first), list_options(second)) == (RIVERS, PEOPLE)
    assert {first.status, second.status} == {ImportStatus.IMPORTED}
    assert (*first.remainder, *second.remainder) == ()


@pytest.mark.parametrize("letter", ["{}", "**{}**", "`{}`", "({})"])
@pytest.mark.parametrize("heading", ["{}. {}", "### {}. {}"])
def test_a_letter_alone_below_each_list_is_its_key(heading, letter):
    check_both(
        f"{heading.format(1, 'Which is long?')}\n\nA) Ebro\nB) Tajo\nC) Duero\n\n"
        f"{letter.format('B')}\n\n"
        f"{heading.format(2, 'Who is old?')}\n\nA) Ann\nB) Bob\n\n{letter.format('A')}\n"
    )


@pytest.mark.parametrize("end", ["", "\n\nSee page 2.", "\n\nD", "\n\nA river"])
def test_a_letter_alone_below_one_list_of_several_is_no_key(end):
    text = f"1. Which is long?\n\nA) Ebro\nB) Tajo\n\nB\n\n2. Who is old?\n\nA) Ann\nB) Bob{end}\n"
    assert list_clean(text) == []


@pytest.mark.parametrize("options", [("{}", "{}"), ("A) {}", "B) {}")])
def test_a_difference_below_a_question_has_its_options(options):
    a, b = (option.format for option in options)
    c = "C) Duero" if options[0] != "{}" else "Duero"
    check_both(
        f"1. Which is long?\n\n```diff\n- {a('Ebro')}\n+ {b('Tajo')}\n- {c}\n```\n\n"
        f"2. Who is old?\n\n```diff\n+ {a('Ann')}\n- {b('Bob')}\n```\n"
    )


@pytest.mark.parametrize("key", ["+ B) Tajo", "+ B", "- A\n+ B\n- C"])
def test_a_difference_below_options_names_the_right_one(key):
    check_both(
        f"1. Which is long?\n\nA) Ebro\nB) Tajo\nC) Duero\n\n```diff\n{key}\n```\n\n"
        "2. Who is old?\n\nA) Ann\nB) Bob\n\n```diff\n+ A) Ann\n```\n"
    )


def test_a_difference_that_a_question_is_about_is_part_of_its_prompt():
    difference = "```diff\n- x = 1\n+ x = 2\n```"
    (item,) = read(f"1. What does this change?\n\n{difference}\n\nA) x\nB) y\n\nAnswer: A\n")
    assert difference in get_text(item)
    assert list_options(item) == [("x", True), ("y", False)]


CODE_DIFFERENCE = "```diff\n- x = 1\n+ x = 2\n```"
ASKED_CODE = "1. What does this change do?"


@pytest.mark.parametrize(
    "page",
    [
        f"### Why was it changed?\n\n{CODE_DIFFERENCE}\n\nThe server is slow.\n",
        f"{ASKED_CODE}\n\n{CODE_DIFFERENCE}\n\n**Answer:** It sets x and y.\n",
        f"{ASKED_CODE}\n\n{CODE_DIFFERENCE}\n",
        f"{ASKED_CODE}\n\n```diff\n- Ebro\n+ Tajo\n```\n\nIt names another river.\n",
        f"{ASKED_CODE}\n\nA) 512\nB) 1024\n\n```diff\n- a.append(1)\n+ b.append(1)\n```\n",
    ],
)
def test_a_difference_of_code_is_no_key(page):
    assert list_clean(page) == []


def test_a_difference_stays_in_the_prompt_where_options_come_later():
    (item,) = read(
        f"{ASKED_CODE}\n\n{CODE_DIFFERENCE}\n\nChoose one:\n\nA) Up\nB) No\n\nAnswer: A\n"
    )
    assert CODE_DIFFERENCE in get_text(item)
    assert list_options(item) == [("Up", True), ("No", False)]


@pytest.mark.parametrize("above", ["Then change the line:", "# Changes", "Version 2 is out."])
def test_a_difference_below_no_question_has_no_options(above):
    assert read(f"{above}\n\n```diff\n- x = 1\n+ x = 2\n```\n") == ()


@pytest.mark.parametrize(
    "table",
    [
        "| A) Ebro | B) Tajo |\n|---|---|\n| C) Duero | |",
        "| A) Ebro | B) Tajo | C) Duero |\n|---|---|---|\n| | | |",
        "| A | B | C |\n|---|---|---|\n| Ebro | Tajo | Duero |",
    ],
)
def test_cells_with_letters_are_options(table):
    check_both(
        f"1. Which is long?\n\n{table}\n\nAnswer: B\n\n"
        "2. Who is old?\n\n| A | B |\n|---|---|\n| Ann | Bob |\n\nAnswer: A\n"
    )


@pytest.mark.parametrize(
    "rows",
    [
        "|  | Option |\n|---|---|\n| [ ] | Ebro |\n| [x] | Tajo |\n| [ ] | Duero |",
        "| Option | Right |\n|---|---|\n| Ebro | [ ] |\n| Tajo | [x] |\n| Duero | [ ] |",
        "| - [ ] | Ebro |\n| - [x] | Tajo |\n| - [ ] | Duero |",
    ],
)
def test_rows_with_a_box_each_are_options(rows):
    check_both(f"1. Which is long?\n\n{rows}\n\n2. Who is old?\n\n- [x] Ann\n- [ ] Bob\n")


@pytest.mark.parametrize(
    "rows",
    [
        "| River | Sea |\n|---|---|\n| Ebro | [x] |\n| Tajo | no |",
        "| [x] | Ebro | long |\n|---|---|---|\n| [ ] | Tajo | longer |",
    ],
)
def test_tables_with_other_cells_are_no_options(rows):
    items = read(f"1. Which is long?\n\n{rows}\n\n- [x] Ann\n- [ ] Bob\n")
    assert [list_options(item) for item in items] == [PEOPLE]


@pytest.mark.parametrize(
    "lists",
    [
        "A  Ebro\nB  Tajo\nC  Duero\n\nAnswer: B\n\n|A  Ann\nB  Bob\n\nAnswer: A\n",
        "- [ ] A  Ebro\n- [x] B  Tajo\n- [ ] C  Duero\n\n|- [x] A  Ann\n- [ ] B  Bob\n",
        "A   Ebro\nB   Tajo ✅\nC   Duero\n\n|A   Ann ✅\nB   Bob\n",
    ],
)
def test_letters_that_two_blanks_part_from_their_options_are_labels(lists):
    first, _, second = lists.partition("|")
    check_both(f"1. Which is long?\n\n{first}2. Who is old?\n\n{second}")


@pytest.mark.parametrize(
    "texts", [("A  grade", "C  grade"), ("B  side", "A  side"), ("A river", "B river")]
)
def test_letters_that_are_words_stay(texts):
    (item,) = read(f"1. Which?\n\n- [x] {texts[0]}\n- [ ] {texts[1]}\n")
    assert [text for text, _ in list_options(item)] == [*texts]


@pytest.mark.parametrize(
    "label", ["- **Question**: ", "- **Question:** ", "* **Pregunta:** ", "- **Question** : "]
)
def test_a_bullet_before_the_label_of_a_question_is_no_part_of_its_prompt(label):
    check_both(
        f"{label}Which is long?\n- A) Ebro\n- B) Tajo\n- C) Duero\n- **Answer**: B\n\n"
        f"{label}Who is old?\n- A) Ann\n- B) Bob\n- **Answer**: A\n"
    )
    check_both(
        f"{label}Which is long?\n  - [ ] Ebro\n  - [x] Tajo\n  - [ ] Duero\n\n"
        f"{label}Who is old?\n  - [x] Ann\n  - [ ] Bob\n"
    )


@pytest.mark.parametrize(
    ("comment", "box"),
    [
        *((comment, "[{}] ") for comment in ("//correcto", "// correct", "// ✅", "// ❎")),
        *((comment, "") for comment in ("//correcto", "// correct", "// ✅", "# correct")),
    ],
)
def test_a_comment_behind_an_option_that_calls_it_right_is_its_key(comment, box):
    right, wrong = (f"- {box.format(sign)}" for sign in ("x", " "))
    check_both(
        f"1. **Which is long?**\n\n    {wrong}a) Ebro\n    {right}b) Tajo {comment}\n"
        f"    {wrong}c) Duero\n\n"
        f"2. **Who is old?**\n\n    {right}a) Ann {comment}\n    {wrong}b) Bob\n"
    )


def test_a_comment_that_calls_another_option_right_than_the_box_is_for_a_person():
    (item,) = read("1. Which?\n\n- [x] Ebro\n- [ ] Tajo //correcto\n")
    assert item.status not in CLEAN


@pytest.mark.parametrize("text", ["`x = 1 // correct it`", "http://correct", "x // corrected"])
def test_other_comments_are_words_of_an_option(text):
    (item,) = read(f"1. Which?\n\n- [x] {text}\n- [ ] Tajo\n")
    assert list_options(item)[0] == (text, True)


@pytest.mark.parametrize(
    "last",
    ["Both 1 and 2", "Both A and B", "A and B", "Options 1 and 2", "All but C", "1 and 2 only"],
)
def test_options_without_labels_that_one_names_keep_their_order(last):
    (item,) = read(f"1. Which is long?\n\n- [ ] Ebro\n- [x] Tajo\n- [ ] {last}\n")
    assert item.question
    assert item.question.fields["shuffle"] is False
    assert (item.status, list_codes(item)) == (ImportStatus.REPAIRED, ["order_kept"])


@pytest.mark.parametrize("last", ["Both banks", "A and B", "1 and 2", "Either", "2 only", "D"])
def test_options_that_are_letters_and_numbers_themselves_may_be_mixed(last):
    (item,) = read(f"1. Which vitamins?\n\n- [ ] A\n- [x] 2\n- [ ] {last}\n")
    assert item.question
    assert item.question.fields["shuffle"] is True


@pytest.mark.parametrize("tag", ["{{{{< {}quizdown >}}}}", "{{{{% {}quiz %}}}}"])
def test_where_a_template_begins_and_ends_a_quiz_is_no_part_of_a_question(tag):
    items = read(
        f"{tag.format('')}\n\n### Which is long?\n\n- [ ] Ebro\n- [x] Tajo\n\n"
        f"> **Explanation:** It has 1,007 km.\n\n{tag.format('/')}\n"
    )
    assert [get_text(item, "explanation") for item in items] == [
        "**Explanation:** It has 1,007 km."
    ]


def test_options_that_all_have_a_tick_on_a_page_without_others_have_no_key():
    ticked = "- ✅ A) Ebro\n- ✅ B) Tajo\n"
    assert list_clean(f"**Would you like me to read:**\n\n{ticked}") == []
    several = "**2. Which of these are long?**\n\n- ✅ A) Po\n- B) Turia\n"
    first, second = list_clean(f"**1. Which of these are rivers?**\n\n{ticked}\n{several}")
    assert list_options(first) == [("Ebro", True), ("Tajo", True)]
    assert list_options(second) == [("Po", True), ("Turia", False)]


def test_classes_of_lines_are_no_part_of_texts():
    (item,) = read(
        "### 1. Which is long?\n{: .query}\n\n- [ ] Ebro\n{: .option}\n- [x] Tajo\n{: .option}\n"
        "- [ ] Duero\n{: .option #last}\n"
    )
    assert (get_text(item), list_options(item)) == ("Which is long?", RIVERS)
    assert item.status in CLEAN


def test_a_box_with_a_style_around_a_reason_is_no_part_of_it():
    (item,) = read(
        "### 1. Which is long?\n\n- [ ] Ebro\n- [x] Tajo\n- [ ] Duero\n\n"
        '{% hint style="info" %}\nIt has 1,007 km.\n{% endhint %}\n'
    )
    assert (list_options(item), item.status) == (RIVERS, ImportStatus.IMPORTED)
    assert get_text(item, "explanation") == "It has 1,007 km."


@pytest.mark.parametrize("setting", ["shuffle_answers: false", "shuffleAnswers: true"])
def test_settings_between_rules_are_no_part_of_a_prompt(setting):
    (item,) = read(
        f"## Which is long?\n\n---\n{setting}\n---\n\n- [ ] Ebro\n- [x] Tajo\n- [ ] Duero\n"
    )
    assert (get_text(item), list_options(item)) == ("Which is long?", RIVERS)


def test_words_with_a_colon_between_rules_stay():
    (item,) = read("## Which is long?\n\n---\nin_spain and: so on\n---\n\n- [x] Tajo\n- [ ] Ebro\n")
    assert "so on" in get_text(item)


def test_a_comment_behind_a_heading_is_no_part_of_the_prompt():
    (item,) = read("### Q1. Which is long?   <!-- mock -->\n- [ ] Ebro\n- [x] Tajo\n- [ ] Duero\n")
    assert (get_text(item), list_options(item)) == ("Which is long?", RIVERS)


@pytest.mark.parametrize("key", ["✅ {}", "✅ **{}**", "✔️ {}", "✅ ({})", "> ✅ {}"])
@pytest.mark.parametrize("heading", ["{}. {}", "### {}. {}", "### **Q{}.**\n\n{}"])
def test_a_letter_with_a_tick_alone_is_a_key(heading, key):
    check_both(
        f"{heading.format(1, 'Which is long?')}\n\nA. Ebro\nB. Tajo\nC. Duero\n\n"
        f"{key.format('B')}\n\n---\n\n"
        f"{heading.format(2, 'Who is old?')}\n\nA. Ann\nB. Bob\n\n{key.format('A')}\n"
    )


def test_several_letters_with_a_tick_are_a_key():
    (item,) = read("1. Which two?\n\nA. Ebro\nB. Tajo\nC. Duero\n\n✅ A, C\n")
    assert list_options(item) == [("Ebro", True), ("Tajo", False), ("Duero", True)]


def test_options_that_are_letters_with_signs_are_no_keys():
    for item in read("1. Which vowel?\n\n✅ A\n❌ B\n\n2. Which consonant?\n\n❌ A\n✅ B\n"):
        assert [text for text, _ in list_options(item)] == ["A", "B"]
