"""What is noticed on the way from HTML to Markdown, each thing once, and which files it shows."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quizzes.formats.contract import Note

Media = Callable[[str], str]
"""From the address of a picture, sound or film to its name in the parcel; "" if it brings none."""

LONGEST_QUOTE = 200


def nothing(_address: str) -> str:
    """Say that the file brought no media."""
    return ""


@dataclass(slots=True)
class Telling:
    """Collects notes of one text, which begins on this line of its file."""

    line: int
    media: Media
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, quote: str = "", **detail: str) -> None:
        """Note a thing, unless it is known."""
        found = Note(code, self.line, quote[:LONGEST_QUOTE], detail)
        if found not in self.notes:
            self.notes.append(found)
