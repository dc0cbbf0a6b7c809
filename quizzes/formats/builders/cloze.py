"""Texts with gaps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.json_types import Json
from quizzes.formats.builders.choice import Option
from quizzes.formats.builders.question_head import Head, build_question, build_texts
from quizzes.formats.builders.text_entry import (
    Accepted,
    Number,
    build_accepted_rows,
    build_number_rows,
)
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.naming import letters


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap: `[[mark]]` in the prompt, and what goes there: options, words or numbers."""

    mark: str
    options: Sequence[Option] = ()
    accepted: Sequence[Accepted] = ()
    numbers: Sequence[Number] = ()
    points: int = 1

    @property
    def kind(self) -> str:
        """The kind of question that stands in it."""
        if self.options:
            return "single_choice"
        return "numeric" if self.numbers else "short_text"


def build_cloze(
    head: Head, gaps: Sequence[Gap], *, scoring_method: str = "", **folding: bool
) -> ParsedQuestion:
    """Build a text with gaps; `folding` says what counts in words, as in a short text."""
    rows = [(f"gap-{number}", gap) for number, gap in enumerate(gaps, start=1)]
    tables = {
        "gaps": [
            ParsedRow(
                head.line, name, {"placeholder": gap.mark, "kind": gap.kind, "points": gap.points}
            )
            for name, gap in rows
        ],
        "options": [row for name, gap in rows for row in _options(head, name, gap)],
        "accepted": [
            row
            for name, gap in rows
            for row in build_accepted_rows(head, "cloze", gap.accepted, name)
        ],
        "numbers": [
            row for name, gap in rows for row in build_number_rows(head, "cloze", gap.numbers, name)
        ],
    }
    return build_question(head, "cloze", scoring_method, tables, dict(folding))


def _options(head: Head, name: str, gap: Gap) -> Iterator[ParsedRow]:
    for option, letter in zip(gap.options, letters(), strict=False):
        texts = {("options", False): option.text, ("options", True): option.feedback}
        values: dict[str, Json] = {"gap": name, "right": option.right}
        yield ParsedRow(
            option.line or head.line,
            f"{name}-{letter}",
            values,
            build_texts("cloze", head.language, texts),
        )
