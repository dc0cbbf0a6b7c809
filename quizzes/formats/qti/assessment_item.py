"""What items of QTI 1.2, 2 and 3 share: notes, texts, credits, gaps and refusals."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.builders import Head, escape_wildcards
from quizzes.formats.builders.choice_settling import SourceChoice, settle_choice
from quizzes.formats.contract import ParsedQuestion, SourceItem
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml_item import XmlItem

CUSTOM_SCORING = "custom_response_processing"
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
class AssessmentItem(XmlItem):
    """One item; `html` is its text, with `placeholder(n)` where its n-th interaction stands."""

    html: str = ""

    def settle_choice(self, head: Head, source: SourceChoice) -> ParsedQuestion:
        """Return the question, with notes; a custom rule explains an unknown key."""
        question, notes = settle_choice(head, source)
        is_custom = self.has_note(CUSTOM_SCORING)
        for note in notes:
            if not (is_custom and note.code == "key_unknown"):
                self.note(note.code, note.quote, note.line)
        return question


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
    return [build_item(origin, question, item.notes)]
