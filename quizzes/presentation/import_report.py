"""The report of an import in words: as JSON with its sentences, and as lines of text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quizzes.bank.lint import Finding
from quizzes.formats.contract import Note, ParsedFile, ScoreComparison
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.report import NOT_SELECTED, ImportReport, ReportItem
from quizzes.lib.dataclass_json import from_json
from quizzes.presentation.messages.findings import SEVERITY_LABELS
from quizzes.presentation.messages.import_notes import describe_note
from quizzes.presentation.messages.imports import (
    describe_grades,
    describe_key_change,
    describe_match,
    describe_unchecked,
)
from quizzes.presentation.messages.problems import describe_finding
from quizzes.presentation.messages.score_comparisons import (
    describe_comparison,
    describe_difference,
)


def localize_report(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report as JSON with the sentences of its notes."""
    items = [
        {
            **item,
            "result": _read_result(item) if report["committed"] else None,
            "notes": _localize(item["notes"]),
            "remainder": _localize(item["remainder"]),
            "comparison": _localize_comparison(item["comparison"]),
            "findings": _localize_findings(item["findings"]),
        }
        for item in report["items"]
    ]
    between = {name: _localize(report[name]) for name in ("ignored_lines", "remainder")}
    return {**report, "items": items, **between}


def _read_result(item: Mapping[str, Any]) -> str:
    return from_json(ReportItem, item).result


def _localize(notes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**note, "message": describe_note(from_json(Note, note))} for note in notes]


def _localize_comparison(stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    return {**stored, "message": describe_comparison(from_json(ScoreComparison, stored))}


def _localize_findings(stored: Sequence[Mapping[str, Any]] | None) -> list[dict[str, Any]] | None:
    if stored is None:
        return None
    findings = [from_json(Finding, finding) for finding in stored]
    return [
        {**encoded, "severity": finding.severity, "message": describe_finding(finding)}
        for encoded, finding in zip(stored, findings, strict=True)
    ]


def format_report(report: ImportReport, parsed_file: ParsedFile, filename: str) -> Iterator[str]:
    """Yield a report line by line, as compilers do: `file:line: name: what, and why`."""
    metadata = parsed_file.metadata
    if grades := describe_grades(metadata.grade, metadata.pass_threshold):
        yield f"{filename}: {grades}"
    for item in report.items:
        place = ":".join(filter(None, (filename, item.archive_path, str(item.line))))
        yield f"{place}: {item.name}: {_format_result(item)}"
        for note in (*item.notes, *item.remainder):
            quote = f" “{note.quote}”" if note.quote else ""
            yield f"  line {note.line}: {describe_note(note)}{quote}"
        for problem in item.problems:
            yield f"  {problem.where}: {problem.code.replace('_', ' ')}"
        for finding in item.findings or ():
            yield f"  {SEVERITY_LABELS[finding.severity]}: {describe_finding(finding)}"
        yield from _format_comparison(item)
        yield from _format_matches(item)
    if unchecked := sum(item.findings is None for item in report.items):
        yield f"{filename}: {describe_unchecked(unchecked)}"
    for note in (*parsed_file.ignored_lines, *parsed_file.remainder):
        yield f"{filename}:{note.line}: {describe_note(note)} {note.quote}".rstrip()


def _format_result(item: ReportItem) -> str:
    words = list(dict.fromkeys((str(item.status), str(item.action))))
    if item.result == NOT_SELECTED:
        words.append("not selected")
    return ", ".join(words)


def _format_comparison(item: ReportItem) -> Iterator[str]:
    """Yield which answers are scored otherwise than in the file."""
    if item.comparison and item.comparison.differences:
        yield f"  {describe_comparison(item.comparison)}"
        for difference in item.comparison.differences:
            yield f"    {describe_difference(difference)}"


def _format_matches(item: ReportItem) -> Iterator[str]:
    """Yield which question of the bank an item is, or may be."""
    match, duplicate = item.language_match, item.duplicate_of
    if match:
        is_merged = item.action == ImportAction.TRANSLATION or match.confirmed
        yield f"  {describe_match(match, 'merged' if is_merged else 'proposed')}"
        if key_change := describe_key_change(match):
            yield f"  {key_change}"
    if duplicate:
        yield f"  {describe_match(duplicate, 'duplicate')}"
