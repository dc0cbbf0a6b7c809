"""An item of an XML file while it is read: its element, its media and its notes."""

from dataclasses import dataclass, field

from quizzes.formats.contract import Note
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.formats.parsing.xml import XmlNode
from quizzes.lib.html_conversion import FindMedia


@dataclass(slots=True)
class XmlItem:
    """An item of a file; `node` is its element."""

    node: XmlNode
    media: FindMedia
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, quote: str = "", line: int = 0) -> None:
        """Add a note on this item, once."""
        note = Note(code, line or self.node.line, quote[:200])
        if note not in self.notes:
            self.notes.append(note)

    def has_note(self, code: str) -> bool:
        """Return whether there is a note with this code."""
        return any(note.code == code for note in self.notes)

    def markdown(self, html: str, line: int = 0) -> str:
        """Return HTML as Markdown; what is lost becomes notes."""
        text, notes = to_markdown(html, line=line or self.node.line, media=self.media)
        self.notes += [note for note in notes if note not in self.notes]
        return text
