"""From a note to a question: a card for study, or a text with gaps to type in."""

from dataclasses import dataclass, replace

from quizzes.formats.anki.clozes import (
    ClozeDeletion,
    build_gaps,
    render_hidden,
    render_revealed,
    split_cloze,
)
from quizzes.formats.anki.fields import FieldReader, read_words
from quizzes.formats.builders import Head, build_cloze, build_flashcard
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.export import ExportTracker
from quizzes.formats.parsing.placeholders import restore_marks


@dataclass(frozen=True, slots=True)
class CardSides:
    """What a note shows, as HTML; `is_cloze` where words may be covered on its front."""

    front: str
    back: str
    hint: str = ""
    explanation: str = ""
    is_cloze: bool = True


def build_question(head: Head, sides: CardSides, reader: FieldReader) -> ParsedQuestion:
    """Build the question, a text with gaps where everything that is covered can be typed."""
    pieces = split_cloze(sides.front) if sides.is_cloze else [sides.front]
    if not any(isinstance(piece, ClozeDeletion) for piece in pieces):
        return _build_flashcard(head, sides, reader)
    gaps = build_gaps(pieces)
    reader.note("gaps_at_once" if gaps else "cloze_as_card")
    behind = "".join(f"<div>{html}</div>" for html in (sides.back, sides.explanation) if html)
    if gaps is None:
        sides = CardSides(render_hidden(pieces), render_revealed(pieces), sides.hint, behind)
        return _build_flashcard(head, sides, reader)
    prompt = restore_marks(reader.to_markdown(gaps.html), gaps.placeholder)
    explanation = reader.to_markdown(behind)
    return build_cloze(replace(head, prompt=prompt, explanation=explanation), gaps.gaps)


def _build_flashcard(head: Head, sides: CardSides, reader: FieldReader) -> ParsedQuestion:
    prompt, back = reader.to_markdown(sides.front), reader.to_markdown(sides.back)
    if not prompt or not back:
        words = read_words(f"{sides.front} {sides.back}")
        reader.note("back_missing" if prompt else "prompt_missing", words)
    head = replace(head, prompt=prompt, explanation=reader.to_markdown(sides.explanation))
    return build_flashcard(head, back, reader.to_markdown(sides.hint))


def read_card_texts(tracker: ExportTracker) -> tuple[str, str, str, str]:
    """Return front, back, hint and explanation of a card that is exported, as Markdown."""
    return (
        tracker.text("prompt"),
        tracker.feedback("back"),
        tracker.text("hint"),
        tracker.feedback("explanation"),
    )
