"""Letters and numbers of options: no words of theirs, unless a text names an option by them."""

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import assert_fast, get_text, list_codes, list_options

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
SMALL = "1. Which is long?\n\na) Ebro\nb) Tajo\nc) Turia\nd) {}\n\n**Answer:** d\n"


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
        "B only",
        "None of a) and b)",
        "Same as A",
        "A+B",
        "A/B",
        "A or B, as it rains",
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


NAMING = [
    "Is c) wrong?",
    "Is (c) wrong?",
    "Is c wrong?",
    "Is C false?",
    "A or B?",
    "Which is longer, a or b?",
    "Are both a and b rivers of Spain?",
    "Why is only c short?",
    "Is option d in Portugal?",
    "Do “A” and “B” meet?",
    "Why is it a), not b)?",
    "¿Cuál es más largo, a) o b)?",
    "¿Son ciertas a y b?",
]


@pytest.mark.parametrize("page", [BOXES, LETTERS, SMALL])
@pytest.mark.parametrize("prompt", NAMING)
def test_options_that_the_prompt_names_by_letters_keep_letters_and_order(page, prompt):
    item = read(page.format("Duero").replace("Which is long?", prompt))
    assert (item.status, list_codes(item)) == (ImportStatus.REPAIRED, ["letters_kept"])
    assert keeps_order(item)
    assert [text[:3].upper() for text, _ in list_options(item)] == ["A) ", "B) ", "C) ", "D) "]


@pytest.mark.parametrize("page", [BOXES, LETTERS, SMALL])
@pytest.mark.parametrize(
    "sentence",
    [
        "a) is shorter.",
        "It is long, as b is shorter.",
        "Only c has 280 km.",
        "Both a and b are longer.",
        "It is not (c).",
        "¡No es b)!",
        "“A” is longer.",
        "Not A, since it has 930 km.",
        "A: 930 km. B: 1,007 km.",
        "B, because it has 1,007 km.",
        "The long one is B.",
        "It is the same as A.",
        "It is shorter, see B.",
    ],
)
def test_options_that_a_sentence_below_names_keep_letters_and_order(page, sentence):
    item = read(f"{page.format('Duero')}\n**Explanation:** {sentence}\n")
    assert (list_codes(item), keeps_order(item)) == (["letters_kept"], True)


@pytest.mark.parametrize("page", [BOXES, LETTERS, SMALL])
@pytest.mark.parametrize(
    "prompt",
    [
        "Is a river long?",
        "What is f(a) for `a or b`?",
        "What is $a$, where $a and b$ meet?",
        "Which has vitamin C?",
        "Is C++ a language?",
        "Which is only a river?",
        "¿A qué mar va?",
        "Take a, as the article says: which?",
    ],
)
def test_other_letters_in_a_prompt_name_no_option(page, prompt):
    item = read(page.format("Duero").replace("Which is long?", prompt))
    assert not keeps_order(item)
    assert [text for text, _ in list_options(item)] == ["Ebro", "Tajo", "Turia", "Duero"]


def test_letters_before_boxes_stay_where_a_text_names_them():
    page = "Which is long?\n\nA) [ ] Ebro\nB) [x] Tajo\nC) [ ] {}\n"
    item = read(page.format("Both A and B"))
    assert [text[:3] for text, _ in list_options(item)] == ["A) ", "B) ", "C) "]
    assert keeps_order(item)
    assert list_options(read(page.format("Duero"))) == RIVERS


def test_letters_that_a_reason_at_the_end_of_the_page_names_stay():
    page = "1. Which is long?\n\nA. Ebro\nB. Tajo\n\n2. Which is short?\n\nA. Po\nB. Turia\n\n"
    first, second = parse_upload(
        f"{page}## Answers\n\n1. B - A is shorter\n2. A - as it is\n".encode(), "quiz.md"
    ).items
    assert list_options(first) == [("A) Ebro", False), ("B) Tajo", True)]
    assert (keeps_order(first), keeps_order(second)) == (True, False)
    assert get_text(first, "explanation") == "A is shorter"


SEQUENCES = [("I", "II", "III"), ("i", "ii", "iii"), ("1", "2", "3")]
LISTS = [
    "Which is long?\n\n- [ ] {a}Ebro\n- [x] {b}Tajo\n- [ ] {c}{last}\n",
    "1. Which is long?\n\n   {a}Ebro\n   {b}Tajo\n   {c}{last}\n\n   **Answer:** {B}\n",
    "### Which is long?\n\n{a}Ebro\n{b}Tajo ✅\n{c}{last}\n",
    "### Which is long?\n\n{a}Ebro\n{b}Tajo\n{c}{last}\n\nAnswer: {B}\n",
    "### Which is long?\n\nOptions: {a}Ebro; {b}Tajo; {c}{last}\n\nAnswer: {B}\n",
]


def write_list(page: str, labels: tuple[str, ...], sign: str, last: str) -> str:
    a, b, c = (sign.format(label) for label in labels)
    return page.format(a=a, b=b, c=c, B=labels[1], last=last)


@pytest.mark.parametrize("page", LISTS[:-1])
@pytest.mark.parametrize("sign", ["{}. ", "{}) ", "({}) "])
@pytest.mark.parametrize("labels", SEQUENCES)
def test_numbers_and_roman_numbers_are_no_part_of_options(page, sign, labels):
    item = read(write_list(page, labels, sign, "Duero"))
    assert (item.status, list_options(item)) == (ImportStatus.IMPORTED, RIVERS)
    assert not keeps_order(item)


@pytest.mark.parametrize("page", LISTS)
@pytest.mark.parametrize("sign", ["{}. ", "{}) "])
@pytest.mark.parametrize("labels", SEQUENCES)
@pytest.mark.parametrize(
    "last",
    ["Both {} and {}", "Only {}", "Options {} and {}", "{} and {}", "{} only", "{}) and {})"],
)
def test_numbers_that_another_option_names_stay_and_so_does_the_order(page, sign, labels, last):
    item = read(write_list(page, labels, sign, last.format(*labels)))
    names = [text.upper().partition(".")[0].partition(")")[0] for text, _ in list_options(item)]
    assert names == [label.upper() for label in labels]
    assert (keeps_order(item), list_codes(item)) == (True, ["letters_kept"])
    assert [is_right for _, is_right in list_options(item)] == [False, True, False]


@pytest.mark.parametrize("labels", SEQUENCES)
@pytest.mark.parametrize("reason", ["Option {} is short.", "{} is wrong.", "({}) is short."])
def test_numbers_that_a_reason_names_stay(labels, reason):
    page = write_list(LISTS[0], labels, "{}) ", "Duero")
    item = read(f"{page}\n**Explanation:** {reason.format(labels[2])}\n")
    assert (keeps_order(item), list_codes(item)) == (True, ["letters_kept"])


@pytest.mark.parametrize("labels", SEQUENCES)
@pytest.mark.parametrize(
    "reason", ["I saw 2 of 3 rivers.", "It has 1.2 km, 3 % more.", "One and two make three."]
)
def test_other_numbers_name_no_option(labels, reason):
    page = write_list(LISTS[0], labels, "{}) ", "Duero")
    item = read(f"{page}\n**Explanation:** {reason}\n")
    assert (list_options(item), keeps_order(item)) == (RIVERS, False)


@pytest.mark.parametrize(
    "texts", [["1. FC Köln", "2. Bundesliga"][::-1], ["I. Newton", "I. Kant"], ["X. Y", "I. Z"]]
)
def test_numbers_that_do_not_count_are_words(texts):
    item = read(f"Which?\n\n- [ ] {texts[0]}\n- [x] {texts[1]}\n")
    assert [text for text, _ in list_options(item)] == texts


@pytest.mark.parametrize(
    "texts", [["1: 2", "2: 3"], ["1. May", "2. May"], ["I. World War", "II. World War"]]
)
def test_numbers_that_tell_options_apart_are_words(texts):
    item = read(f"Which?\n\n- [ ] {texts[0]}\n- [x] {texts[1]}\n")
    assert [text for text, _ in list_options(item)] == texts


@pytest.mark.parametrize("page", [BOXES, LETTERS])
@pytest.mark.parametrize(
    "reason",
    [
        "A river is long.",
        "It is A-shaped.",
        "Plan B failed.",
        "Try an A/B test.",
        "C++ has none.",
        "Vitamin C, 1 a day (2).",
    ],
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


@pytest.mark.parametrize("sign", ["`", "*", "(", ")", "`A", "a) ", "A, ", "not B ", "both "])
@pytest.mark.parametrize("format_", ["checklist", "letter_key"])
def test_long_runs_of_signs_are_read_at_once(format_, sign):
    read_file = FORMATS[format_].read
    run = sign * (40_000 // len(sign))
    assert_fast(read_file, BOXES.format(run), 2)
    assert_fast(read_file, f"{BOXES.format('Duero')}\n**Explanation:** {run}\n", 2)


@pytest.mark.parametrize(
    "dates",
    [
        ["1. Januar", "2. Februar", "3. Oktober"],
        ["1. mars", "2. april", "3. mai"],
        ["1. ledna", "2. května"],
        ["1. Jahrhundert", "2. Jahrhundert"],
        ["1. Weltkrieg", "2. Weltkrieg"],
    ],
)
@pytest.mark.parametrize("option", ["- [{box}] {text}", "- {text}{tick}"])
def test_numbers_of_dates_stay(dates, option):
    lines = [
        option.format(box="x" if at else " ", text=text, tick=" ✅" if at else "")
        for at, text in enumerate(dates)
    ]
    page = "\n".join(["Wann war das?", *lines]).encode()
    (item,) = parse_upload(page, "quiz.md", language="de").items
    assert [text for text, _ in list_options(item)] == dates


def test_numbers_of_english_months_are_labels():
    page = b"Which month?\n- [x] 1. April\n- [ ] 2. May\n- [ ] 3. June\n"
    (item,) = parse_upload(page, "quiz.md", language="en").items
    assert [text for text, _ in list_options(item)] == ["April", "May", "June"]
