"""Keys in other forms than a letter in its line: read from the file anew, and compared."""

from dataclasses import replace

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ParsedRow
from quizzes.imports.parse import parse_upload
from quizzes.presentation.messages.score_comparisons import describe_comparison
from quizzes.source_scoring import compare_file
from quizzes.source_scoring.marked_lists import read_marked_list
from quizzes.source_scoring.rules import NotComparable
from tests.quizzes.formats.key_shapes import KEY_SHAPES
from tests.quizzes.source_scoring.test_comparison import change_rows

LETTERS = "1. Which city?\n\nA) Lima\nB) Quito\nC) Arica\n\n"
BULLETS = "1. Which city?\n\n- Lima\n- Quito\n- Arica\n\n"
KEYED = {
    "ans:-b": f"{LETTERS}ans:-b\n",
    "words": f"{LETTERS}Answer: Quito\n",
    "words of a bullet": f"{BULLETS}Answer: Quito\n",
    "letter and words": f"{LETTERS}**Correct answer:** B) Quito\n",
    "correct option": f"{LETTERS}Correct option: B\n",
    "Spanish": f"{LETTERS}Respuesta correcta: B\n",
    "bold": BULLETS.replace("- Quito", "- **Quito**"),
    "bold with its letter": LETTERS.replace("B) Quito", "**B) Quito**"),
    "tick": BULLETS.replace("Quito", "Quito ✅"),
    "called correct": BULLETS.replace("Quito", "Quito (correct)"),
    "struck out": BULLETS.replace("Lima", "~~Lima~~").replace("Arica", "~~Arica~~"),
}


def read(text: str):
    (item,) = parse_upload(text.encode(), "x.md", format_="letter_key").items
    return item


@pytest.mark.parametrize("name", KEYED)
def test_a_key_is_compared_in_whatever_form_it_is(name):
    comparison = read(KEYED[name]).comparison
    assert comparison is not None
    assert comparison.compared == 4
    assert not comparison.reason
    assert not comparison.differences


@pytest.mark.parametrize("name", KEYED)
def test_another_key_than_that_of_the_file_is_seen(name):
    data = KEYED[name].encode()
    parsed_file = FORMATS["letter_key"].read(data, language="en")

    def turn(row: ParsedRow) -> ParsedRow:
        return replace(row, values={**row.values, "right": row.name == "c"})

    (item,) = compare_file(data, "letter_key", change_rows(parsed_file, "options", turn)).items
    assert item.comparison is not None
    assert item.comparison.has_surprise


@pytest.mark.parametrize(
    "lines",
    [
        "Which?\n- a\n- b",
        "Which?\n- **a**\n- **b**\n- c",
        "Which?\n- a ✅\n- b\n\nAnswer: b",
        "Which?\n- a\n- b\n\nAnswer: a\n\nAnswer: b",
        "Which?\n- a\n- b\n\nAnswer: none of them",
        "Which?\n- a\n\nwords\n- b ✅",
        "Which?\nA) a ✅",
    ],
)
def test_where_it_is_not_plain_nothing_is_compared(lines):
    with pytest.raises(NotComparable, match="no_key"):
        read_marked_list(lines.split("\n"))


def test_no_item_whose_key_was_read_is_called_one_without_a_key():
    for shape in KEY_SHAPES.values():
        for item in parse_upload(shape.write().encode(), "x.md").items:
            comparison = item.comparison
            assert comparison is None or comparison.reason != "no_key" or item.is_damaged
            assert comparison is None or not comparison.differences


@pytest.mark.django_db
def test_a_key_that_is_not_compared_says_so():
    item = read("1. Which city?\n\n<ul>\n<li>Lima</li>\n<li><b>Quito</b></li>\n</ul>\n")
    assert item.question is not None
    assert item.comparison is not None
    assert describe_comparison(item.comparison) == (
        "Not compared with the file: its key was read, but the comparison does not know its form."
    )
