"""An item of an XML file while it is read: its element, its media and its notes."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from quizzes.formats.contract import Note
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.formats.parsing.reading_limits import READING_LIMITS, check_option_count
from quizzes.formats.parsing.xml import XmlNode
from quizzes.lib.html_conversion import FindMedia

_OPTION_TAGS: Final = frozenset(
    """
    additional_answer answer choice gapText inlineChoice mapEntry option response_label
    simpleAssociableChoice simpleChoice subquestion
    """.split()
)
"""Elements that become options, pairs or accepted answers."""


def check_option_elements(node: XmlNode) -> None:
    """Raise TooManyOptions if an element of an item has more options than are read."""
    for parent in node.iter():
        if len(parent) > READING_LIMITS.options:
            for count in Counter(
                child.tag for child in parent if child.tag in _OPTION_TAGS
            ).values():
                check_option_count(count)


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
