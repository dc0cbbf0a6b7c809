"""Keys that a page hides: blocks, templates and blots, and keys in words of their own."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

FOLDED = (
    "<details>\n<summary>Answer</summary>\n\n**B**. It is long.\n- A: it is short\n"
    "- B: 1007 km\n- C: it is shorter\n\n</details>"
)
RIVERS = ["Nalón", "Tajo", "Nervión"]


def read(text: str):
    return parse_upload(text.encode(), "a.md").items


def read_right(text: str) -> list[list[str]]:
    items = read(text)
    assert {item.status for item in items} <= {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
    return [[option for option, is_right in list_options(item) if is_right] for item in items]


def write_page(key: str, box: str = "- [ ]", labels: str = "ABC") -> str:
    options = "\n".join(f"{box} {name}. {text}" for name, text in zip(labels, RIVERS, strict=True))
    return f"### Question 1\n\nWhich river is long?\n\n{options}\n\n{key}\n"


@pytest.mark.parametrize(
    "key",
    [
        '<div slot="answer">\n\nb\n\nExplanation: it reaches Lisbon.\n\n</div>\n</question>',
        '<div slot="answer">\n\n(b)\n\nExplanation: it reaches Lisbon.\n\n</div>',
        '<div class="solution">\n<div>\n\nB\n\n</div>\n</div>',
        '{{spoiler(blur=true, text=\n"B. It reaches\nLisbon."\n)}}',
        '{{spoiler(text="B")}}',
        "||B||",
        "Answer: ||B||",
        "答案B：它很长。",
    ],
)
@pytest.mark.parametrize("box", ["- [ ]", "- ( )"])
def test_a_hidden_key_names_the_right_option(key, box):
    assert read_right(write_page(key, box)) == [["Tajo"]]


def test_a_letter_above_a_list_that_comments_on_each_option_is_the_key():
    assert read_right(write_page(FOLDED)) == [["B) Tajo"]]  # comments name options by letters


def test_a_template_names_options_with_numbers():
    options = "".join(f"{at}. [ ] {text}\n" for at, text in enumerate(RIVERS, start=1))
    text = f"## Question 0x01\n\nWhich river is long?\n\n{options}\n### Answer 0x01\n\n"
    text += '{{spoiler(blur=true, text=\n"2. The Tajo reaches\nLisbon."\n)}}\n'
    assert read_right(text) == [["Tajo"]]
    assert "Lisbon" in get_text(read(text)[0], "explanation")


@pytest.mark.parametrize(
    "key",
    [
        "All of them: A, B, C.",
        "All of these",
        "Todas las anteriores",
        "**All of the above: A, B, C**",
    ],
)
def test_a_key_may_say_that_all_options_are_right(key):
    text = write_page(f"Answer:\n{key}").replace("river is", "rivers are").replace("long?", "wet?")
    assert read_right(f"{text}\nExplanation:\nAll are wet.\n") == [RIVERS]


def test_all_of_them_beside_the_names_of_some_is_no_key():
    (item,) = read(write_page("Answer: All of them: A, B"))
    assert item.status is ImportStatus.REVIEW


@pytest.mark.parametrize(
    "line",
    [
        "| a || b |",
        "A pipe || another || third",
        "||maybe this one||",
        "{{spoiler(",
        '<div class="answer">',
    ],
)
def test_other_pipes_and_blocks_without_an_end_are_no_key(line):
    (item,) = read(write_page(line))
    assert item.status is ImportStatus.REVIEW


@pytest.mark.parametrize("title", ["Mostrar respuesta", "Show answer"])
def test_what_tells_to_compare_within_the_box_of_a_key_explains_it(title):
    options = "".join(f"   - {name}) {text}\n" for name, text in zip("ABC", RIVERS, strict=True))
    box = f"<details>\n<summary>{title}</summary>\n\n**Answer: B**\n\nCompare their lengths.\n"
    pages = "".join(f"{at}. Which is long?\n{options}\n{box}</details>\n\n" for at in (1, 2))
    last = "3. Does it flow?\n\n<details>\n<summary>Show answer</summary>\n\nYes, it does.\n"
    items = read(f"# Rivers\n\n{pages}{last}</details>\n")
    assert [list_codes(item) for item in items] == [[], [], []]
    assert get_text(items[0], "explanation") == "Compare their lengths."


@pytest.mark.parametrize("title", ["Answer", "Respuesta"])
def test_the_title_of_the_box_of_an_answer_is_no_part_of_the_prompt(title):
    pages = "**1.** Which is long?\n\n- A) Tajo\n- B) Nalón\n\n**Answer: A**\n\n"
    summary = "<summary>🔑 Show the answer</summary>"
    box = f"<details>\n{summary}\n\n**{title}**: It falls on the\nhills.\n"
    items = read(f"{pages}**2.** Why does it rain?\n\n{box}\n</details>\n")
    assert items[1].status in {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
    assert not items[1].remainder
    assert get_text(items[1]) == "Why does it rain?"
