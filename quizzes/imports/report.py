"""What an import did or would do, item by item: one report for every interface."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from grading.contract import Problem
from quizzes.bank.lint import Finding
from quizzes.formats.contract import ImportStatus, Note, ParsedFile, ScoreComparison
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.lib.dataclass_json import to_json
from quizzes.matching.language_match import LanguageMatch

NOT_SELECTED: Final = "not_selected"
"""The result of an item that could have been written."""
RESULTS: Final = (*map(str, ImportAction), NOT_SELECTED)
"""What became of an item: each has exactly one, so that the counts add up."""
MIN_SHARED: Final = 2
"""Questions that a file must share with a bank to seem the same quiz."""


@dataclass(frozen=True, slots=True)
class ReportItem:
    """What is done with one item of a file: lines `line` to `end_line` of `archive_path`.

    `name` is that of the question in the bank, else the item's own. `selected`: it is written.
    `language_match` is the question that it may be in another language, `duplicate_of` the one
    that it resembles in its own. `remainder` are its lines that are in no text and no note.
    `changed_in_file`: the file differs from what was last imported.
    `comparison` is of its scores with those of the file. `problems` stop publishing, `findings`
    of the linter do not; None: it was not looked at.
    """

    number: int
    name: str
    kind: str
    archive_path: str
    line: int
    end_line: int
    points: Fraction | None
    status: ImportStatus
    action: ImportAction
    selected: bool
    published: bool
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()
    language_match: LanguageMatch | None = None
    duplicate_of: LanguageMatch | None = None
    in_bank: bool = False
    changed_in_file: bool = True
    is_damaged: bool = False
    remainder: tuple[Note, ...] = ()
    comparison: ScoreComparison | None = None
    findings: tuple[Finding, ...] | None = None

    @property
    def result(self) -> str:
        """What became of it, once the import is written (one of RESULTS)."""
        return self.action if self.selected or not self.action.writes else NOT_SELECTED


def build_item(
    planned: PlannedItem, problems: tuple[Problem, ...], *, selected: bool
) -> ReportItem:
    """Return what is done with a planned item."""
    source_item = planned.source_item
    return ReportItem(
        number=planned.number,
        name=planned.name or source_item.name,
        kind=source_item.kind,
        archive_path=source_item.archive_path,
        line=source_item.line,
        end_line=source_item.end_line,
        points=source_item.points,
        status=source_item.status,
        action=planned.action,
        selected=selected,
        published=selected
        and not problems
        and source_item.status != ImportStatus.REVIEW
        and planned.is_published_as_drafted,
        notes=source_item.notes,
        problems=problems,
        language_match=planned.match,
        duplicate_of=planned.duplicate_of,
        in_bank=planned.before is not None,
        changed_in_file=planned.changed_in_file,
        is_damaged=source_item.is_damaged,
        remainder=source_item.remainder,
        comparison=source_item.comparison,
    )


@dataclass(slots=True)
class ImportReport:
    """What an import did, or would do: every item of the file, in its order.

    `matches_searched`: the file and the bank were not too large to be compared.
    """

    items: list[ReportItem] = field(default_factory=list)
    matches_searched: bool = True

    def add(self, items: Iterable[ReportItem]) -> None:
        """Add the next items, without the documents of their matches."""
        self.items += (
            replace(
                item,
                language_match=_without_document(item.language_match),
                duplicate_of=_without_document(item.duplicate_of),
            )
            for item in items
        )

    def add_findings(self, findings: Mapping[int, tuple[Finding, ...] | None]) -> None:
        """Add what was found in the items when they were planned, by their numbers."""
        self.items = [replace(item, findings=findings.get(item.number)) for item in self.items]

    def counts(self) -> dict[str, int]:
        """Return how many items each action has; the sum is the number of items."""
        return self._count(item.action for item in self.items)

    def count_results(self) -> dict[str, int]:
        """Return how many items each result has; the sum is the number of items."""
        return self._count(item.result for item in self.items)

    @staticmethod
    def _count(results: Iterable[str]) -> dict[str, int]:
        counts = Counter(results)
        return {result: counts[result] for result in RESULTS}

    @property
    def written(self) -> int:
        """How many questions were added or changed."""
        return sum(item.selected for item in self.items)

    def is_complete(self) -> bool:
        """Return whether all of the file is in the bank, with nothing left to review."""
        complete = {
            ImportAction.NEW,
            ImportAction.CHANGED,
            ImportAction.TRANSLATION,
            ImportAction.SAME,
        }
        return all(item.result in complete and not item.problems for item in self.items)

    def find_same_quiz(self) -> dict[str, Any] | None:
        """Return how much of the file the bank seems to have already, in its own language.

        None unless it is half of its questions or more. `confidence` is the lowest of them.
        """
        readable = [item for item in self.items if item.action != ImportAction.REFUSED]
        names = [name for item in readable if (name := _name_in_bank(item))]
        if len(names) < MIN_SHARED or len(names) * 2 < len(readable):
            return None
        confidences = [item.duplicate_of.confidence for item in readable if item.duplicate_of]
        return {
            "questions": len(names),
            "of": len(readable),
            "confidence": min(confidences, default=1.0),
            "names": names,
        }

    def to_json(self, parsed_file: ParsedFile, *, committed: bool) -> dict[str, Any]:
        """Return the report as JSON: counts, then item by item."""
        return {
            "committed": committed,
            "file_metadata": to_json(parsed_file.metadata),
            "status_counts": parsed_file.counts(),
            "action_counts": self.count_results() if committed else self.counts(),
            "published": sum(item.published for item in self.items),
            "same_quiz": self.find_same_quiz(),
            "matches_searched": self.matches_searched,
            "items": to_json(self.items),
            "ignored_lines": to_json(parsed_file.ignored_lines),
            "remainder": to_json(parsed_file.remainder),
            "errors": to_json(parsed_file.errors),
        }


def _without_document(match: LanguageMatch | None) -> LanguageMatch | None:
    return match and replace(match, document=None, rows=())


def _name_in_bank(item: ReportItem) -> str:
    """Return the question of the bank that an item is, or seems to be, in its own language."""
    if item.duplicate_of:
        return item.duplicate_of.question
    return item.name if item.in_bank and item.language_match is None else ""
