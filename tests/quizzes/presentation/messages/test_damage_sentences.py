"""Why an item is not imported by itself: the sentence fits what was noticed."""

import pytest

from quizzes.imports.parse import parse_upload
from quizzes.presentation.messages.imports import describe_damage

BOXES = "- [{}] Tajo\n- [ ] Ebro\n"


def read_codes(text: str) -> set[str]:
    (item,) = parse_upload(text.encode(), "quiz.md", language="en").items
    assert item.is_damaged
    return {note.code for note in item.notes}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which?\n- [ ] Ebro\n- [x] Ebro\n- [ ] Tajo\n", "read alike"),
        (f"Which?\n{BOXES.format(' ')}", "Its key is unknown"),
        ("Which?\n- [ ] Ebro\n- [ ] Ebro\n- [ ] Tajo\n", "Its key is unknown"),
        (f"## Kitchen\n{BOXES.format('x')}- [x] Duero\n", "list of tasks"),
        (f"Which?\n- [x] Ebro\n\nwords between\n\n{BOXES.format(' ')}", "doubtful"),
    ],
)
def test_the_sentence_over_an_item_says_what_is_wrong_with_it(text, words):
    assert words in str(describe_damage(read_codes(text)))
