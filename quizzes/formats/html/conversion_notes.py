"""The notes on one conversion from HTML to Markdown, each once, and the files that it refers to."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quizzes.formats.contract import LONGEST_QUOTE, Note

FindMedia = Callable[[str], str]
"""From the address of a picture, sound or film to its name in the parsed file, "" without one."""


def find_no_media(_address: str) -> str:
    """Return no name: the file has no media."""
    return ""


@dataclass(slots=True)
class ConversionNotes:
    """The notes on one text, which begins on this line of its file."""

    line: int
    find_media: FindMedia
    notes: list[Note] = field(default_factory=list)

    def add(self, code: str, quote: str = "", **detail: str) -> None:
        """Add a note, once."""
        note = Note(code, self.line, quote[:LONGEST_QUOTE], detail)
        if note not in self.notes:
            self.notes.append(note)
