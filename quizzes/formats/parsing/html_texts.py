"""Texts that a file has as HTML: our Markdown, with notes at the line of the text. Pure."""

from quizzes.formats.contract import Note
from quizzes.lib.html_conversion import FindMedia, find_no_media, html_to_markdown


def to_markdown(
    html: str, *, line: int = 1, media: FindMedia = find_no_media
) -> tuple[str, tuple[Note, ...]]:
    """Return HTML as our Markdown, and notes on what could not be kept, all at this line.

    `media` returns the name of each picture, sound or film that the file has.
    """
    markdown, notes = html_to_markdown(html, media)
    return markdown, tuple(Note(note.code, line, note.quote, note.detail) for note in notes)
