"""Each question of a page is found, its key right, none in pieces, and never a wrong key clean."""

import re

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.key_shapes import KEY_SHAPES
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
_MARKUP = re.compile(r"<[^<>]*>|[\s*`\\\u00a0#>~=_]+")
_LONGEST_REST = 45  # letters, lines below and the like may stay with an option


def simplify(text: str) -> str:
    return _MARKUP.sub(" ", text).strip()


def read(text: str, language: str = "en"):
    return parse_upload(text.encode(), "quiz.md", language=language).items


def test_there_are_many_shapes():
    assert len(KEY_SHAPES) > 130


@pytest.mark.parametrize("shape", KEY_SHAPES)
def test_each_question_has_its_options_and_its_key(shape):
    key_shape = KEY_SHAPES[shape]
    items = read(key_shape.write(), "es" if key_shape.is_spanish else "en")
    assert len([item for item in items if item.status in CLEAN]) == len(key_shape.quiz)
    for question in key_shape.quiz:
        prompt = simplify(question.prompt).rstrip("?")
        (item,) = (item for item in items if item.question and prompt in simplify(get_text(item)))
        assert item.status in CLEAN, (item.notes, item.remainder)
        assert len(list_options(item)) == len(question.options)
        for place, (text, is_right) in enumerate(list_options(item)):
            assert simplify(question.options[place]) in simplify(text)
            assert len(simplify(text)) < len(simplify(question.options[place])) + _LONGEST_REST
            assert is_right == (place in question.right)


def test_marks_and_an_answer_line_that_differ_are_for_a_person():
    (item,) = read("1. Which?\n\nA. one ✅\nB. two\nC. three\n\nAnswer: B\n")
    assert item.status == ImportStatus.REVIEW
    assert {"keys_differ", "key_unknown"} <= {*list_codes(item)}


def test_a_key_above_the_options_is_that_of_the_options_below_it():
    text = (
        "### 1. Which?\n\nAnswer: B\n\nA. one\nB. two\n\n### 2. Who?\n\nAnswer: A\n\nA. x\nB. y\n"
    )
    assert [[is_right for _, is_right in list_options(item)] for item in read(text)] == [
        [False, True],
        [True, False],
    ]


def test_only_wrong_options_marked_is_told():
    items = read("### Which?\n\n- ~~one~~\n- two\n\n### Who?\n\n- three\n- ~~four~~\n")
    assert [list_codes(item) for item in items] == [["crossed_as_wrong"]] * 2
    assert [item.status for item in items] == [ImportStatus.REPAIRED] * 2


@pytest.mark.parametrize(
    "options",
    [
        "- Left: 5px\n- Right: 5px\n- Top: 1px",
        "- ✅ fast\n- ✅ safe",
        "☐ one\n☐ two",
        "○ a\n● b\n✓ c",
    ],
)
def test_what_is_no_key_makes_no_key(options):
    data = f"### Which?\n\n{options}\n\n### Who?\n\n{options}\n".encode()
    items = FORMATS["letter_key"].read(data, language="en").items
    assert not [item for item in items if item.status in CLEAN]


def test_reasons_beside_the_keys_at_the_end_are_explanations():
    text = "1. Which?\n\nA. one\nB. two\n\n2. Who?\n\nA. x\nB. y\n\n## Answers\n\n"
    text += "1. B - as it is\n2. A\nso"
    assert [get_text(item, "explanation") for item in read(text)] == ["as it is", "so"]


def test_a_list_below_an_option_is_no_further_option():
    (item,) = read("### Which?\n\n- ✅ one\n  - as it is\n- ❌ two\n  - as it is not\n")
    assert [is_right for _, is_right in list_options(item)] == [True, False]


def test_a_verdict_below_an_option_is_its_feedback():
    (item,) = read(
        "### Which?\n\n- [ ] one\n  - Wrong: too few\n- [x] two\n  - **Correct**: both\n"
    )
    assert [text for text, _ in list_options(item)] == ["one", "two"]
