"""Options that read the same, one right and one wrong, are told at the item in every format."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload

MOODLE = (
    "<quiz><question type='multichoice'><name><text>q</text></name><questiontext><text>Which?"
    "</text></questiontext><single>true</single>{}</question></quiz>"
)


def moodle(*answers: tuple[str, int]) -> str:
    return MOODLE.format(
        "".join(
            f"<answer fraction='{share}'><text>{text}</text></answer>" for text, share in answers
        )
    )


@pytest.mark.parametrize(
    ("filename", "text"),
    [
        ("a.gift", "::q::Which? {=same ~same ~other}"),
        ("a.gift", "::q::Which? {~%100%same ~%-100%same ~other}"),
        ("a.txt", "Which?\nA. same\nB. same\nC. other\nANSWER: A\n"),
        ("a.md", "# Which?\n- [x] same\n- [ ]  same \n- [ ] other\n"),
        ("a.md", "1. Which?\nA) same\nB) same\nC) other\nAnswer: A\n"),
        ("a.xml", moodle(("same", 100), ("same", 0), ("other", 0))),
        ("a.csv", "Question,A,B,C,Correct\nWhich?,same,same,other,A\n"),
        ("a.gift", "::q::Which? {=same -> 1 =same -> 2 =other -> 3}"),
    ],
)
def test_equal_options_of_which_one_is_right_are_for_a_person(filename, text):
    (item,) = parse_upload(text.encode(), filename, language="en").items
    (note,) = [note for note in item.notes if note.code == "equal_options"]
    assert (note.quote, item.status, item.is_damaged) == ("same", ImportStatus.REVIEW, True)


@pytest.mark.parametrize(
    "text",
    ["::q::Which? {=right ~same ~same}", "::q::Which? {~%50%same ~%50%same ~other}"],
)
def test_equal_options_that_earn_the_same_are_none_of_the_readers_business(text):
    (item,) = parse_upload(text.encode(), "a.gift", language="en").items
    assert "equal_options" not in {note.code for note in item.notes}
    assert item.status != ImportStatus.REVIEW
