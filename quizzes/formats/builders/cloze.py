"""Texts with gaps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grading.cloze.structure import GAP_WEIGHTS
from grading.json_types import Json, ratio_to_json
from quizzes.formats.builders.choice import Option
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.builders.text_entry import Accepted, Number, build_answer_rows
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.naming import list_letters


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap: `[[placeholder]]` in the prompt, and its options, accepted texts or numbers.

    `comparison` says how texts are compared, as in `build_short_text`.
    """

    placeholder: str
    options: Sequence[Option] = ()
    accepted: Sequence[Accepted] = ()
    numbers: Sequence[Number] = ()
    points: int = 1
    comparison: Mapping[str, str] = field(default_factory=dict)

    @property
    def answers(self) -> Sequence[Accepted | Number]:
        """Return what is accepted, where something is typed."""
        return (*self.accepted, *self.numbers)

    @property
    def kind(self) -> str:
        """Return the kind of question that it is."""
        if self.options:
            return "single_choice"
        return "numeric" if self.numbers else "short_text"


def build_cloze(
    head: Head, gaps: Sequence[Gap], *, scoring_method: str = "", **fields: Json
) -> ParsedQuestion:
    """Build a text with gaps; `fields` are those of the whole question.

    Where options of gaps have weights, these are the scoring method.
    """
    if any(_has_weights(gap) for gap in gaps):
        scoring_method = GAP_WEIGHTS
    names = [f"gap-{number}" for number in range(1, len(gaps) + 1)]
    tables: dict[str, list[ParsedRow]] = {"gaps": [], "options": [], "accepted": [], "numbers": []}
    for name, gap in zip(names, gaps, strict=True):
        values: dict[str, Json] = {"placeholder": gap.placeholder, "kind": gap.kind}
        values["points"] = gap.points
        if gap.kind == "short_text":
            values |= gap.comparison
        tables["gaps"].append(head.build_row("cloze", name, values, {}))
        tables["options"] += _build_option_rows(head, name, gap)
        tables["accepted"] += build_answer_rows(head, "cloze", "accepted", gap.accepted, name)
        tables["numbers"] += build_answer_rows(head, "cloze", "numbers", gap.numbers, name)
    return build_question(head, "cloze", scoring_method, tables, fields)


def _has_weights(gap: Gap) -> bool:
    return any(option.weight is not None for option in gap.options)


def _build_option_rows(head: Head, name: str, gap: Gap) -> Iterator[ParsedRow]:
    for option, letter in zip(gap.options, list_letters(), strict=False):
        texts = {("options", False): option.text, ("options", True): option.feedback}
        values: dict[str, Json] = {"gap": name, "right": bool(option.right)}
        if _has_weights(gap):
            values["weight"] = ratio_to_json(option.weight or Fraction(0))
        yield head.build_row("cloze", f"{name}-{letter}", values, texts, line=option.line)
