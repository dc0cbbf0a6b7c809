"""The notes on an item decide its status."""

import pytest

from quizzes.formats.builders import Head, build_essay
from quizzes.formats.contract import Note
from quizzes.formats.parsing.source_items import Origin, build_item

QUESTION = build_essay(Head(1, "a", "en", "Why?"))
GRAVE, ASIDE = frozenset({"grave"}), frozenset({"aside"})


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], "imported"),
        (["aside"], "imported"),
        (["mended"], "repaired"),
        (["aside", "mended"], "repaired"),
        (["mended", "grave"], "needs_review"),
        (["other", "grave"], "needs_review"),
    ],
)
def test_the_gravest_note_counts(codes, expected):
    notes = [Note(code, 1) for code in codes]
    item = build_item(Origin(1, 2, name="a"), QUESTION, notes, GRAVE, ASIDE)
    assert item.status == expected


def test_without_a_question_an_item_is_refused_under_its_own_kind():
    item = build_item(Origin(1, 2).with_name("a", "hotspot"), None, [])
    assert (item.status, item.name, item.kind) == ("refused", "a", "hotspot")
