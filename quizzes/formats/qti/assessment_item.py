"""What items of QTI 1.2, 2 and 3 share: notes, texts, credits, gaps and refusals."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats.builders import escape_wildcards
from quizzes.formats.contract import Note, ParsedQuestion, SourceItem
from quizzes.formats.html import FindMedia, to_markdown
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml import XmlNode

CUSTOM_SCORING = "custom_response_processing"
_REVIEW = frozenset(
    {
        CUSTOM_SCORING,
        "gap_missing_in_text",
        "key_unknown",
        "options_not_in_rule",
        "several_right_options",
    }
)
_STEP = Fraction(1, 1000)
_MAX_GAP_NAME = 40


@dataclass(slots=True)
class CustomScoring(Exception):
    """The item is scored by a rule that no list of right answers expresses."""

    line: int
    quote: str = ""


@dataclass(slots=True)
class UnsupportedItem(Exception):
    """No kind of question can ask this item."""

    code: str
    quote: str = ""


@dataclass(slots=True)
class AssessmentItem:
    """One item; `html` is its text, with `placeholder(n)` where its n-th interaction stands."""

    node: XmlNode
    media: FindMedia
    notes: list[Note] = field(default_factory=list)
    html: str = ""

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


def placeholder(number: int) -> str:
    """Return the word that stands for an interaction while its text becomes Markdown."""
    return f"qtimark{number}qtimark"


def build_gap_name(identifier: str, number: int) -> str:
    """Return the identifier where it can name a gap, else a name with the number."""
    is_plain = identifier.isascii() and identifier.replace("-", "").replace("_", "").isalnum()
    return identifier if is_plain and len(identifier) <= _MAX_GAP_NAME else f"gap-{number}"


def compute_credit(points: Fraction, full: Fraction) -> Fraction:
    """Return the share of the full points, from -1 to 1; a rounded third is a third."""
    return max(min(snapped(points / full, _STEP), Fraction(1)), Fraction(-1))


def escape_accepted(text: str) -> str:
    r"""Escape an accepted answer if it needs it; `C:\dir` stays as it is."""
    return escape_wildcards(text) if "*" in text or "\\\\" in text else text


def build_source_item(
    item: AssessmentItem,
    build: Callable[[], ParsedQuestion],
    origin: Origin,
) -> list[SourceItem]:
    """Return the item with the question that `build` returns; refused if it is unsupported."""
    question, kind = None, origin.kind
    try:
        question = build()
    except UnsupportedItem as unsupported:
        item.note(unsupported.code, unsupported.quote)
        kind = kind or unsupported.code
    origin = origin.with_name(origin.name, kind, origin.points)
    return [build_item(origin, question, item.notes, review=_REVIEW)]
