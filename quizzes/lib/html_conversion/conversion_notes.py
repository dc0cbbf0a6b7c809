"""The notes on one conversion from HTML to Markdown, each once, and the files that it refers to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

FindMedia = Callable[[str], str]
"""From the address of a picture, sound or film to its name in the parsed file, "" without one."""


def find_no_media(_address: str) -> str:
    """Return no name: the file has no media."""
    return ""


LONGEST_QUOTE = 200
"""How many characters a note quotes, at most."""


@dataclass(frozen=True, slots=True)
class ConversionNote:
    """What Markdown could not keep of a text: a code, the text it is about, details by name."""

    code: str
    quote: str
    detail: Mapping[str, str]


@dataclass(slots=True)
class ConversionNotes:
    """The notes on one text."""

    find_media: FindMedia
    notes: list[ConversionNote] = field(default_factory=list)

    def add(self, code: str, quote: str = "", **detail: str) -> None:
        """Add a note, once."""
        note = ConversionNote(code, quote[:LONGEST_QUOTE], detail)
        if note not in self.notes:
            self.notes.append(note)
