"""The notes on one conversion from HTML to Markdown, each once, and the files that it refers to."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quizzes.formats.contract import LONGEST_QUOTE, Note

FindMedia = Callable[[str], str]
"""From the address of a picture, sound or film to its name in the parsed file, "" without one."""


def nothing(_address: str) -> str:
    """Say that the file brought no media."""
    return ""


@dataclass(slots=True)
class ConversionNotes:
    """Collects notes of one text, which begins on this line of its file."""

    line: int
    media: FindMedia
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, quote: str = "", **detail: str) -> None:
        """Note a thing, unless it is known."""
        found = Note(code, self.line, quote[:LONGEST_QUOTE], detail)
        if found not in self.notes:
            self.notes.append(found)
