"""What the accepted answers of a draft accept and refuse, in examples; computed by its grading."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from grading.cloze.structure import ACCEPTED, SHORT_TEXT, group_by_gap, parse_gaps
from grading.json_types import Content, Json
from grading.short_text.examples import ComparisonExample, list_examples, score_text
from grading.short_text.structure import parse_folding, parse_rows
from grading.short_text.validation import validate
from quizzes.document import QuestionDocument
from quizzes.presentation.formatting import format_fraction
from quizzes.presentation.messages.comparison import CHANGE_LABELS, describe_comparison
from quizzes.presentation.text_answers import mark_blanks

MAX_GROUPS = 20
"""Of so many gaps, the first ones that are typed, examples are shown."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example: the answer, what it differs in, and its credit where that is a part."""

    text: str
    label: str
    share: str


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """How answers are compared, in words and in examples: of a question, or of one of its gaps.

    `tried` is what the author tries there, in the control `try_name`, and `attempt` whether it is
    accepted: None where nothing was typed.
    """

    placeholder: str
    sentence: str
    try_name: str
    tried: str
    accepted: tuple[ExampleView, ...]
    refused: tuple[ExampleView, ...]
    attempt: bool | None = None
    attempt_share: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """How answers are compared: in a group for the question, or one for each gap."""

    groups: tuple[ExampleGroup, ...]

    @property
    def summary(self) -> str:
        """What changed, in the fewest words: screen readers are told this alone."""
        counts = {
            "accepted": sum(len(group.accepted) for group in self.groups),
            "refused": sum(len(group.refused) for group in self.groups),
        }
        return gettext("Examples: %(accepted)s accepted, %(refused)s refused.") % counts


@dataclass(frozen=True, slots=True)
class TypedPlace:
    """Where words are typed: in the answer, or in the gap with this id and placeholder."""

    comparison: Content
    listed: Json
    id: str = ""
    placeholder: str = ""

    @property
    def try_name(self) -> str:
        """The name of the control for an answer to try."""
        return f"try-{self.id}" if self.id else "try"


def build_comparison(
    document: QuestionDocument, tried: Mapping[str, str] | None = None
) -> ComparisonView | None:
    """Return the examples of a draft; rows that cannot be compared yet have none.

    `tried` has the answers that the author tries, by the names of their controls. None where
    answers of the kind are not typed, or not compared.
    """
    if all(table.name != ACCEPTED for table in document.schema.tables):
        return None
    groups = (_build_group(place, tried or {}) for place in _iter_places(document))
    return ComparisonView(tuple(group for group in groups if group is not None))


def _iter_places(document: QuestionDocument) -> Iterator[TypedPlace]:
    listed = document.key.get(ACCEPTED, [])
    if document.kind != "cloze":
        yield TypedPlace(document.content, listed)
        return
    gaps = [gap for gap in parse_gaps(document.content)[0] if gap.kind == SHORT_TEXT]
    by_gap = group_by_gap(listed)
    for gap in gaps[:MAX_GROUPS]:
        rows = [dict(row) for row in by_gap.get(gap.id, ())]
        yield TypedPlace(gap.comparison, rows, gap.id, gap.placeholder)


def _build_group(place: TypedPlace, tried: Mapping[str, str]) -> ExampleGroup | None:
    """Return the examples of a place; None where there is no answer yet, or one is unreadable."""
    rows, problems = parse_rows(place.listed)
    if not rows or problems or _has_unreadable_rows(place):
        return None
    folding, text = parse_folding(place.comparison)[0], tried.get(place.try_name, "")
    examples = list_examples(rows, folding)
    credit = score_text(text, rows, folding) if text else None
    return ExampleGroup(
        place.placeholder,
        describe_comparison(place.comparison),
        place.try_name,
        mark_blanks(text, place.comparison),
        tuple(_view(example, place) for example in examples if example.credit),
        tuple(_view(example, place) for example in examples if not example.credit),
        bool(credit) if text else None,
        format_fraction(credit) if credit and credit != 1 else "",
    )


def _has_unreadable_rows(place: TypedPlace) -> bool:
    """Return whether a row itself cannot be compared: an empty one, or a broken pattern."""
    problems = validate(place.comparison, {ACCEPTED: place.listed})
    return any(problem.where.startswith(f"{ACCEPTED}.") for problem in problems)


def _view(example: ComparisonExample, place: TypedPlace) -> ExampleView:
    credit = example.credit
    share = format_fraction(credit) if credit and credit != 1 else ""
    text = mark_blanks(example.text, place.comparison)
    return ExampleView(text, str(CHANGE_LABELS[example.change]), share)
