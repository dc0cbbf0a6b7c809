"""What became of each line of an item: in a text, in a note, or left over and looked at."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, SourceChoice, build_choice
from quizzes.formats.contract import ImportStatus, Note, SourceItem
from quizzes.formats.parsing import leftover_lines
from quizzes.formats.parsing.leftover_lines import note_leftover_lines

LINES = ["# Quiz", "1. Which", "river?", "a) The *Ebro*<br>b", "b) The Tajo", "> Look.", "", "end"]
QUESTION = build_choice(
    Head(2, "river", "en", "Which\nriver?", "Look."),
    SourceChoice(
        [Option("The Ebro\\\nb", right=True), Option("The Tajo")],
        many=False,
    ),
)
FOUND = SourceItem(2, 7, "river", "single_choice", ImportStatus.IMPORTED, QUESTION)


def words_of(line: str) -> str:
    return line.removeprefix("1. ").removeprefix("a) ").removeprefix("b) ").removeprefix("> ")


def check(found: SourceItem, *noise: Note, lines: list[str] = LINES) -> SourceItem:
    (checked,) = note_leftover_lines([found], lines, noise, words_of)
    return checked


def test_an_item_of_which_all_lines_are_in_its_texts_stays_clean():
    assert check(FOUND) == FOUND


def test_a_line_in_no_text_is_told_and_the_item_looked_at():
    lines = [*LINES[:6], "Which sea?", "end"]
    checked = check(FOUND, lines=lines)
    assert checked.status == ImportStatus.REVIEW
    assert checked.notes == (Note("line_left_over", 7, "Which sea?"),)


def test_a_line_that_a_note_quotes_is_told_already():
    lines = [*LINES[:6], "Which sea?", "end"]
    note = Note("belongs_to_no_item", 7, "Which sea?")
    assert check(FOUND, note, lines=lines) == FOUND
    noted = replace(FOUND, notes=(note,), status=ImportStatus.REPAIRED)
    assert check(noted, lines=lines) == noted
    assert check(FOUND, replace(note, quote=""), lines=lines).status == ImportStatus.REVIEW


def test_what_a_person_looks_at_anyway_or_is_refused_stays_as_it_is():
    lines = ["nothing"] * 8
    for found in (
        replace(FOUND, status=ImportStatus.REVIEW),
        replace(FOUND, status=ImportStatus.REFUSED, question=None),
    ):
        assert check(found, lines=lines) == found


def test_words_that_would_take_too_long_to_find_count_as_left_over(monkeypatch):
    lines = [*LINES[:3], "a) The Eb", *LINES[4:]]
    assert check(FOUND, lines=lines) == FOUND
    monkeypatch.setattr(leftover_lines, "_MOST", 3)
    assert check(FOUND, lines=lines).status == ImportStatus.REVIEW
