"""What items of QTI 1.2, 2 and 3 share: notes, texts, credits, gaps and refusals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.builders import Head, SourceChoice, escape_wildcards, settle_choice
from quizzes.formats.contract import Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.percentages import find_simple_fraction
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml_item import XmlItem

CUSTOM_SCORING = "custom_response_processing"
_STEP = Fraction(1, 1000)
_ROUNDING = Fraction(1, 50)  # rounding makes equal parts differ by less
_MAX_POINTS = 100
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
    """One item; `html` is its text, with `build_token(n)` where its n-th interaction stands."""

    html: str = ""

    def add_notes(self, notes: Iterable[Note]) -> None:
        """Add the notes on a key, each once."""
        for note in notes:
            if note not in self.notes:
                self.notes.append(note)

    def settle_choice(self, head: Head, source: SourceChoice) -> ParsedQuestion:
        """Return the question of a choice, with notes."""
        question, notes = settle_choice(head, source)
        self.add_notes(notes)
        return question

    def place_gap(self, prompt: str, number: int, identifier: str) -> tuple[str, str]:
        """Return the prompt with a gap instead of its token, and the gap's name."""
        is_plain = identifier.isascii() and identifier.replace("-", "").replace("_", "").isalnum()
        is_name = is_plain and len(identifier) <= _MAX_GAP_NAME
        name = identifier if is_name else f"gap-{number}"
        if build_token(number) not in prompt:
            self.note("gap_missing_in_text", identifier)
            prompt = f"{prompt}\n\n{build_token(number)}"
        return prompt.replace(build_token(number), f"[[{name}]]"), name

    def scale_points(self, amounts: Sequence[Fraction]) -> list[int]:
        """Return points of gaps as small whole numbers in proportion; 1 for each if none fit."""
        least = min(amounts, default=Fraction(0))
        for times in range(1, _MAX_POINTS + 1) if least > 0 else ():
            shares = [amount / least * times for amount in amounts]
            points = [round(share) for share in shares]
            is_near = all(abs(share - round(share)) < _ROUNDING for share in shares)
            if is_near and max(points) <= _MAX_POINTS:
                return points
        if len({*amounts}) > 1:
            self.note("gap_points_levelled")
        return [1] * len(amounts)


def build_token(number: int) -> str:
    """Return the word that stands for an interaction while its text becomes Markdown."""
    return f"qtimark{number}qtimark"


def compute_credit(points: Fraction, full: Fraction) -> Fraction:
    """Return the share of the full points, 1 at most; a rounded third is a third."""
    return min(find_simple_fraction(points / full, _STEP), Fraction(1))


def escape_accepted(text: str) -> str:
    r"""Escape an accepted answer if it needs it; `C:\dir` stays as it is."""
    return escape_wildcards(text) if "*" in text or "\\\\" in text else text


def build_source_item(
    item: AssessmentItem, build: Callable[[], ParsedQuestion], origin: Origin
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
