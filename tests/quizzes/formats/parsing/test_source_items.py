"""The notes on an item decide its status."""

import pytest

from quizzes.formats.builders import Head, build_essay
from quizzes.formats.contract import Note
from quizzes.formats.parsing.source_items import Origin, build_item

QUESTION = build_essay(Head(1, "a", "en", "Why?"))


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], "imported"),
        (["hint_left_out"], "imported"),
        (["line_joined"], "repaired"),
        (["hint_left_out", "line_joined"], "repaired"),
        (["line_joined", "key_unknown"], "needs_review"),
        (["text_cut", "key_unknown"], "needs_review"),
    ],
)
def test_the_gravest_note_counts(codes, expected):
    notes = [Note(code, 1) for code in codes]
    item = build_item(Origin(1, 2, name="a"), QUESTION, notes)
    assert item.status == expected


def test_without_a_question_an_item_is_refused_under_its_own_kind():
    item = build_item(Origin(1, 2).with_name("a", "hotspot"), None, [])
    assert (item.status, item.name, item.kind) == ("refused", "a", "hotspot")
