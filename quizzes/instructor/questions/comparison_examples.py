"""What the accepted answers of a draft accept and refuse, in examples; computed by its grading."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from grading.cloze.structure import ACCEPTED, group_by_gap, parse_gaps
from grading.json_types import Json
from grading.short_text.examples import ComparisonExample, list_examples, score_text
from grading.short_text.folding import Folding
from grading.short_text.schema import SORT
from grading.short_text.structure import Rows, parse_folding, parse_rows
from grading.short_text.validation import validate
from quizzes.document import QuestionDocument
from quizzes.presentation.formatting import format_fraction
from quizzes.presentation.messages.comparison import CHANGE_LABELS, describe_comparison

MAX_GROUPS = 5
"""Of so many gaps, the first ones that are typed, examples are shown."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example: the answer, what it differs in, and its credit where that is a part."""

    text: str
    label: str
    share: str


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """The examples of a question, or of the gap with this placeholder.

    `attempt` is what becomes of the answer that the author tries; None where none was typed.
    """

    placeholder: str
    accepted: tuple[ExampleView, ...]
    refused: tuple[ExampleView, ...]
    attempt: bool | None = None
    attempt_share: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """How answers are compared, in words, and in examples; `tried` is what the author tries."""

    sentence: str
    groups: tuple[ExampleGroup, ...]
    tried: str = ""

    @property
    def summary(self) -> str:
        """What changed, in the fewest words: screen readers are told this alone."""
        counts = {
            "accepted": sum(len(group.accepted) for group in self.groups),
            "refused": sum(len(group.refused) for group in self.groups),
        }
        return gettext("Examples: %(accepted)s accepted, %(refused)s refused.") % counts


def build_comparison(document: QuestionDocument, tried: str = "") -> ComparisonView | None:
    """Return the examples of a draft; rows that cannot be compared yet have none.

    None where answers of the kind are not typed, or not compared.
    """
    if SORT not in document.schema.fields:
        return None
    folding, _problems = parse_folding(document.content)
    groups = [
        _build_group(placeholder, rows, folding, tried)
        for placeholder, rows in _iter_rows(document)
    ]
    return ComparisonView(describe_comparison(document.content), tuple(groups), tried)


def _iter_rows(document: QuestionDocument) -> Iterator[tuple[str, Rows]]:
    """Yield the accepted answers of the question, or of each gap, that can be compared."""
    listed = document.key.get(ACCEPTED, [])
    groups: Mapping[str, Json] = {"": listed}
    if document.kind == "cloze":
        gaps, by_gap = parse_gaps(document.content)[0][:MAX_GROUPS], group_by_gap(listed)
        groups = {gap.placeholder: list(map(dict, by_gap.get(gap.id, ()))) for gap in gaps}
    for placeholder, entries in groups.items():
        rows, problems = parse_rows(entries)
        if rows and not problems and not _has_unreadable_rows(document, entries):
            yield placeholder, rows


def _has_unreadable_rows(document: QuestionDocument, entries: Json) -> bool:
    """Return whether a row itself cannot be compared: an empty one, or a broken pattern."""
    problems = validate(document.content, {ACCEPTED: entries})
    return any(problem.where.startswith(f"{ACCEPTED}.") for problem in problems)


def _build_group(placeholder: str, rows: Rows, folding: Folding, tried: str) -> ExampleGroup:
    examples = list_examples(rows, folding)
    credit = score_text(tried, rows, folding) if tried else None
    return ExampleGroup(
        placeholder,
        tuple(_view(example) for example in examples if example.credit),
        tuple(_view(example) for example in examples if not example.credit),
        bool(credit) if tried else None,
        format_fraction(credit) if credit and credit != 1 else "",
    )


def _view(example: ComparisonExample) -> ExampleView:
    credit = example.credit
    share = format_fraction(credit) if credit and credit != 1 else ""
    return ExampleView(example.text, str(CHANGE_LABELS[example.change]), share)
