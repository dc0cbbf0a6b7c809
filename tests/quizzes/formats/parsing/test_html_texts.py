"""HTML of a file: its losses become notes at the line of the text."""

from quizzes.formats.contract import Note
from quizzes.formats.parsing.html_texts import to_markdown


def test_losses_are_notes_at_the_line_of_the_text():
    text, notes = to_markdown("the <u>one</u>", line=7)
    assert text == "the *one*"
    assert notes == (Note("underline_as_emphasis", 7, "one"),)


def test_media_are_shown_by_the_names_of_the_file():
    names = {"a b.png": "a-b.png"}
    text, notes = to_markdown('<img alt="x" src="a b.png">', media=lambda url: names.get(url, ""))
    assert (text, notes) == ("![x](media:a-b.png)", ())
