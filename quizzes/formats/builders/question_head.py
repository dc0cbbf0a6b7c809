"""What every question has, and how its parts become a parsed question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Text
from quizzes.formats.contract import FieldTexts, ParsedQuestion, ParsedRow


@dataclass(frozen=True, slots=True)
class Head:
    """What every question has: its line, name and language, and the texts of its own.

    `other_texts` are by their names: hint, back, otherwise and so on.
    """

    line: int
    name: str
    language: str
    prompt: str
    explanation: str = ""
    tags: tuple[str, ...] = ()
    other_texts: Mapping[str, str] = field(default_factory=dict)

    def build_row(
        self,
        kind: str,
        name: str,
        values: Mapping[str, Json],
        texts: Mapping[tuple[str, bool], str],
        line: int = 0,
    ) -> ParsedRow:
        """Build a row of a question of this kind, by default on its line, in its language."""
        return ParsedRow(line or self.line, name, values, build_texts(kind, self.language, texts))


def build_question(
    head: Head,
    kind: str,
    scoring_method: str,
    tables: Mapping[str, Sequence[ParsedRow]],
    fields: Mapping[str, Json],
) -> ParsedQuestion:
    """Build a question of fields and tables; without a scoring method, the kind's default."""
    texts = {
        ("prompt", False): head.prompt,
        ("explanation", True): head.explanation,
        **{(name, name != "hint"): text for name, text in head.other_texts.items()},
    }
    return ParsedQuestion(
        line=head.line,
        name=head.name,
        kind=kind,
        scoring_method=scoring_method or KINDS[kind].scoring_methods[0],
        tags=head.tags,
        fields=dict(fields),
        texts=build_texts(kind, head.language, texts),
        tables={name: tuple(rows) for name, rows in tables.items() if rows},
    )


def build_texts(kind: str, language: str, texts: Mapping[tuple[str, bool], str]) -> FieldTexts:
    """Return the texts that are not empty, by the text fields of the kind."""
    fields = _texts(kind)
    return {fields[place]: {language: text} for place, text in texts.items() if text.strip()}


@cache  # of each kind once: a file has tens of thousands of questions
def _texts(kind: str) -> Mapping[tuple[str, bool], Text]:
    schema = KINDS[kind].schema
    every = [*schema.texts, *(text for table in schema.tables for text in table.texts)]
    return {(text.name, text.is_feedback): text for text in every}


def add_explanation(question: ParsedQuestion, text: str) -> ParsedQuestion:
    """Return a question with a text below its explanation, in its first language."""
    explanation, language = _texts(question.kind)["explanation", True], min(question.languages)
    before = question.texts.get(explanation, {})
    words = "\n\n".join(filter(None, [before.get(language, ""), text]))
    return replace(question, texts={**question.texts, explanation: {**before, language: words}})
