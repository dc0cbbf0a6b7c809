"""What was noted about an item tells what became of it."""

import pytest

from quizzes.formats.contract import Note
from quizzes.formats.parsing.verdicts import verdict

GRAVE, ASIDE = frozenset({"grave"}), frozenset({"aside"})


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], "imported"),
        (["aside"], "imported"),
        (["mended"], "repaired"),
        (["aside", "mended"], "repaired"),
        (["mended", "grave"], "needs_review"),
        (["picture_elsewhere"], "needs_review"),
    ],
)
def test_the_gravest_note_counts(codes, expected):
    assert verdict([Note(code, 1) for code in codes], GRAVE, ASIDE) == expected
