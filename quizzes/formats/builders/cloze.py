"""Texts with gaps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.json_types import Json
from quizzes.formats.builders.choice import Option
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.builders.text_entry import Accepted, Number, build_answer_rows
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.naming import list_letters


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap: `[[placeholder]]` in the prompt, and its options, accepted texts or numbers."""

    placeholder: str
    options: Sequence[Option] = ()
    accepted: Sequence[Accepted] = ()
    numbers: Sequence[Number] = ()
    points: int = 1

    @property
    def kind(self) -> str:
        """Return the kind of question that it is."""
        if self.options:
            return "single_choice"
        return "numeric" if self.numbers else "short_text"


def build_cloze(
    head: Head, gaps: Sequence[Gap], *, scoring_method: str = "", **comparison: str
) -> ParsedQuestion:
    """Build a text with gaps; `comparison` of what is typed is as in a short text."""
    names = [f"gap-{number}" for number in range(1, len(gaps) + 1)]
    tables: dict[str, list[ParsedRow]] = {"gaps": [], "options": [], "accepted": [], "numbers": []}
    for name, gap in zip(names, gaps, strict=True):
        values: dict[str, Json] = {"placeholder": gap.placeholder, "kind": gap.kind}
        values["points"] = gap.points
        tables["gaps"].append(head.build_row("cloze", name, values, {}))
        tables["options"] += _build_option_rows(head, name, gap.options)
        tables["accepted"] += build_answer_rows(head, "cloze", "accepted", gap.accepted, name)
        tables["numbers"] += build_answer_rows(head, "cloze", "numbers", gap.numbers, name)
    return build_question(head, "cloze", scoring_method, tables, dict(comparison))


def _build_option_rows(head: Head, gap: str, options: Sequence[Option]) -> Iterator[ParsedRow]:
    for option, letter in zip(options, list_letters(), strict=False):
        texts = {("options", False): option.text, ("options", True): option.feedback}
        values: dict[str, Json] = {"gap": gap, "right": bool(option.right)}
        yield head.build_row("cloze", f"{gap}-{letter}", values, texts, line=option.line)
