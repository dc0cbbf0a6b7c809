"""What became of an item, told by what was noted about it. Pure."""

from collections.abc import Iterable

from quizzes.formats.contract import ImportStatus, Note

LOST = frozenset({"media_elsewhere", "picture_elsewhere", "picture_without_words", "text_cut"})
"""What is lost with these may be what a question is about."""


def verdict(
    notes: Iterable[Note], grave: frozenset[str], aside: frozenset[str] = frozenset()
) -> ImportStatus:
    """Tell the verdict on an item that came in: `grave` notes are for a person to look at.

    Those `aside` say what was not taken along, and nothing of what came was mended.
    """
    codes = {note.code for note in notes} - aside
    if codes & (grave | LOST):
        return ImportStatus.REVIEW
    return ImportStatus.REPAIRED if codes else ImportStatus.IMPORTED
