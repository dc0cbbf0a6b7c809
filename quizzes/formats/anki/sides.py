"""From the sides of a note to a question: a card for study, or a text with gaps to type in."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from quizzes.formats.anki.clozes import Covered, cut, gapped, whole, with_gaps
from quizzes.formats.anki.fields import words
from quizzes.formats.builders import Head, build_cloze, build_flashcard
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.placeholders import marked

Markdown = Callable[[str], str]
Noting = Callable[[str, str], None]
"""Takes the code of a note, and the words it is about."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What a note shows, as HTML; `covers` where words may be covered on its front."""

    front: str
    back: str
    hint: str = ""
    explanation: str = ""
    covers: bool = True


def question_of(head: Head, sides: Sides, markdown: Markdown, note: Noting) -> ParsedQuestion:
    """Make the question, a text with gaps where everything that is covered can be typed."""
    pieces = cut(sides.front) if sides.covers else [sides.front]
    if not any(isinstance(one, Covered) for one in pieces):
        return _card(head, sides, markdown, note)
    made = with_gaps(pieces)
    note("gaps_at_once" if made else "cloze_as_card", "")
    behind = "".join(f"<div>{one}</div>" for one in (sides.back, sides.explanation) if one)
    if made is None:
        card = Sides(gapped(pieces), whole(pieces), sides.hint, behind)
        return _card(head, card, markdown, note)
    html, gaps, word = made
    prompt = marked(markdown(html), word)
    return build_cloze(replace(head, prompt=prompt, explanation=markdown(behind)), gaps)


def _card(head: Head, sides: Sides, markdown: Markdown, note: Noting) -> ParsedQuestion:
    prompt, back = markdown(sides.front), markdown(sides.back)
    if not prompt or not back:
        said = words(f"{sides.front} {sides.back}")
        note("back_missing" if prompt else "prompt_missing", said)
    head = replace(head, prompt=prompt, explanation=markdown(sides.explanation))
    return build_flashcard(head, back, markdown(sides.hint))
