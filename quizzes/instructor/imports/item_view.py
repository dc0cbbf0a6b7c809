"""One item of a file beside its source: what a person needs to select it or not."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from django.utils.functional import Promise

from quizzes.bank.lint import Severity
from quizzes.formats.contract import Note
from quizzes.imports import stored_plan
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import ImportJob
from quizzes.imports.report import ReportItem
from quizzes.imports.stored_plan import StoredItem, StoredPlan
from quizzes.instructor.questions.diff import Difference, diff_documents
from quizzes.instructor.questions.finding_place import describe_place
from quizzes.instructor.questions.preview import LanguagePreview, preview_document
from quizzes.presentation.language_matches import (
    MatchView,
    build_item_match,
    read_match_answer,
)
from quizzes.presentation.messages.findings import SEVERITY_LABELS
from quizzes.presentation.messages.import_notes import describe_note
from quizzes.presentation.messages.imports import (
    ACTION_LABELS,
    SELECTION_REASONS,
    STATUS_LABELS,
    describe_damage,
    describe_match,
    describe_points,
)
from quizzes.presentation.messages.problems import describe_finding, describe_problem
from quizzes.presentation.messages.score_comparisons import (
    describe_comparison,
    describe_difference,
)

T = TypeVar("T")

MOST_DIFFERENCES = 5
"""Answers that are scored otherwise than in the file, as the page lists them."""

MARKS: Mapping[str, str] = {
    ImportAction.NEW: "mark-correct",
    ImportAction.CHANGED: "mark-open",
    ImportAction.TRANSLATION: "mark-correct",
    ImportAction.CONFLICT: "mark-problem",
    ImportAction.REVIEW: "mark-warning",
    ImportAction.REFUSED: "mark-problem",
}
"""The CSS class of the action's label."""


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note as a sentence, with the line it is about and the text of the file there."""

    line: int
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding of the linter as a sentence, how grave it is, and where in the question."""

    label: Promise | str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item as the page shows it; `lines` are those of the file, where it has any.

    `more_lines` counts the lines that are not shown. `scores` says whether it scores as in the
    file, `score_differences` for which answers it does not. `has_conflict`: it may be imported
    under a new name. `answer` is that to its match: "accepted", "rejected", "confirmed" (before),
    or "". `problems` stop publishing; `warnings` and `hints` do not.
    """

    item: ReportItem
    selectable: bool
    selected: bool
    label: Promise | str
    mark: str
    repaired: Promise | str
    points: str
    reason: Promise | str
    has_conflict: bool
    as_new: bool
    lines: tuple[str, ...]
    more_lines: int
    notes: tuple[NoteView, ...]
    remainder: tuple[NoteView, ...]
    scores: str
    score_differences: tuple[str, ...]
    more_differences: int
    problems: tuple[str, ...]
    warnings: tuple[FindingView, ...]
    hints: tuple[FindingView, ...]
    previews: tuple[LanguagePreview, ...]
    differences: tuple[Difference, ...]
    match: MatchView | None
    duplicate: str
    answer: str


def build_items(
    job: ImportJob,
    plan: StoredPlan,
    numbers: Iterable[int],
    selected: frozenset[int],
    picture_url: Callable[[str], str],
) -> list[ItemView]:
    """Return these items; `picture_url` is the address of a picture that the bank lacks."""
    as_new = frozenset(job.as_new or ())
    answers = MatchAnswers.from_json(job.match_answers or {})
    picture_urls = {f"/media/{name}": picture_url(name) for name in plan.media}
    views = []
    for stored_item in stored_plan.load_items(job, plan, numbers):
        item, document, before = stored_item.report, stored_item.document, stored_item.before
        names = {id_: name for name, id_ in stored_item.rows.items()}
        lines = tuple(stored_item.excerpt.split("\n")) if stored_item.excerpt else ()
        previews = preview_document(document, names) if document else ()
        differing_scores = item.comparison.differences if item.comparison else ()
        views.append(
            ItemView(
                item=item,
                selectable=item.action.writes,
                selected=item.number in selected,
                label=ACTION_LABELS[item.action],
                mark=MARKS.get(item.action, ""),
                repaired=""
                if item.action == ImportAction.REVIEW
                else STATUS_LABELS.get(item.status, ""),
                points=describe_points(item.points),
                reason=_selection_reason(stored_item),
                has_conflict=bool(stored_item.conflict_code),
                as_new=item.number in as_new,
                lines=lines,
                more_lines=max(item.end_line - item.line + 1 - len(lines), 0),
                notes=tuple(map(build_note, item.notes)),
                remainder=tuple(map(build_note, item.remainder)),
                scores=describe_comparison(item.comparison) if item.comparison else "",
                score_differences=tuple(
                    map(describe_difference, differing_scores[:MOST_DIFFERENCES])
                ),
                more_differences=max(len(differing_scores) - MOST_DIFFERENCES, 0),
                problems=tuple(
                    describe_problem(problem.code, problem.detail) for problem in item.problems
                ),
                warnings=_list_findings(item, names, is_hint=False),
                hints=_list_findings(item, names, is_hint=True),
                previews=_replace_urls(previews, picture_urls) if picture_urls else previews,
                differences=diff_documents(before, document, names)
                if before and document and item.action != ImportAction.SAME
                else (),
                match=build_item_match(stored_item),
                duplicate=describe_match(item.duplicate_of, "duplicate")
                if item.duplicate_of
                else "",
                answer=read_match_answer(item, answers),
            )
        )
    return views


def _list_findings(
    item: ReportItem, names: Mapping[str, str], *, is_hint: bool
) -> tuple[FindingView, ...]:
    """Return the hints of an item, or what is graver; `names` are those of its rows by id."""
    return tuple(
        FindingView(
            SEVERITY_LABELS[finding.severity],
            describe_finding(finding),
            describe_place(finding, names.get(finding.row, finding.row)),
        )
        for finding in item.findings or ()
        if (finding.severity == Severity.HINT) == is_hint
    )


def build_note(note: Note) -> NoteView:
    """Return a note as a sentence."""
    return NoteView(note.line, describe_note(note), note.quote)


def _selection_reason(stored_item: StoredItem) -> Promise | str:
    action, comparison = stored_item.report.action, stored_item.report.comparison
    is_written = action not in {ImportAction.SAME, ImportAction.CONFLICT}
    if is_written and comparison and comparison.has_surprise:
        return SELECTION_REASONS["scores_differ"]
    if action == ImportAction.REVIEW and stored_item.before:
        return SELECTION_REASONS["review_of_existing"]
    if action == ImportAction.REVIEW and stored_item.report.is_damaged:
        return describe_damage({note.code for note in stored_item.report.notes})
    return SELECTION_REASONS.get(stored_item.conflict_code or action, "")


def _replace_urls(value: T, urls: Mapping[str, str]) -> T:
    """Replace addresses in every text of a value."""
    copy: Any = value
    if isinstance(copy, str):
        for old, new in urls.items():
            copy = copy.replace(old, new)
    elif isinstance(copy, tuple):
        copy = tuple(_replace_urls(part, urls) for part in copy)
    elif is_dataclass(copy) and not isinstance(copy, type):
        parts = {
            attribute.name: _replace_urls(getattr(copy, attribute.name), urls)
            for attribute in fields(copy)
        }
        copy = replace(copy, **parts)
    replaced: T = copy
    return replaced
