"""What an import did or would do, as plain values: the same for every door."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from quizzes.formats.contract import ExportWarning, FileError, Note, ParsedFile
from quizzes.imports import source_grades
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.importer import ImportReport, ReportLine
from quizzes.imports.sayings import KEYS, LOSSES, NOTES, REASONS, REFUSALS, TWINS
from quizzes.lib.errors import Invalid
from quizzes.matching import Reason
from quizzes.matching.language_match import LanguageMatch

SOME: Final = 2
"""Questions that a file must share with a bank to seem the same quiz."""


def message_for(
    code: str, sayings: Mapping[str, Any], detail: Mapping[str, Any] | None = None
) -> str:
    """Say a code in the reader's language; one without a sentence stands for itself."""
    message = str(sayings.get(code) or code.replace("_", " "))
    return message % defaultdict(str, detail or {}) if "%(" in message else message


def serialize_report(report: ImportReport, parcel: ParsedFile, *, written: bool) -> dict[str, Any]:
    """Give a report as JSON: the counts by verdict and by plan, then item by item."""
    return {
        "written": written,
        "about": source_grades.as_json(parcel.metadata),
        "verdicts": parcel.counts(),
        "counts": report.counts(),
        "published": sum(line.published for line in report.lines),
        "same_quiz": detect_same_quiz(report.lines),
        "twins_sought": all(line.duplicates_searched for line in report.lines),
        "items": [_item(line) for line in report.lines],
        "noise": [_note(note) for note in parcel.ignored_lines],
        "troubles": serialize_errors(parcel.errors),
    }


def serialize_errors(every: Iterable[FileError]) -> list[dict[str, Any]]:
    """Give what keeps a whole file out."""
    return [
        {"line": error.line, "where": error.where, "code": error.code, "message": error.message}
        for error in every
    ]


def _item(line: ReportLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "name": line.name or line.source_item.name,
        "kind": line.source_item.kind,
        "member": line.source_item.archive_path,
        "line": line.source_item.line,
        "last": line.source_item.end_line,
        "points": source_grades.format_exact(line.source_item.points),
        "verdict": line.source_item.status,
        "what": line.action,
        "chosen": line.selected,
        "published": line.published,
        "notes": [_note(note) for note in line.source_item.notes],
        "problems": [{"where": problem.where, "code": problem.code} for problem in line.problems],
        "twin": serialize_match(line.match),
        "alike": serialize_match(line.duplicate_of),
    }


def serialize_match(match: LanguageMatch | None) -> dict[str, Any] | None:
    """Give the question that an item may be: how sure, why, what joining them does to the key."""
    if match is None:
        return None
    return {
        "question": match.name,
        "language": match.language,
        "confidence": match.confidence,
        "known": match.confirmed,
        "key": match.key_change,
        "left_out": list(match.left_out),
        "reasons": [
            {"code": reason.code, "words": list(reason.words), **reason.detail}
            for reason in match.reasons
        ],
    }


def detect_same_quiz(lines: Collection[ReportLine | PlannedItem]) -> dict[str, Any] | None:
    """Tell whether half of a file or more seems to be in the bank already, in its own language.

    Give how many of its questions are, of how many, and how sure the least sure of them is.
    """
    readable = [line for line in lines if line.action != ImportAction.REFUSED]
    names = [name for line in readable if (name := _there(line))]
    if len(names) < SOME or len(names) * 2 < len(readable):
        return None
    sure = [line.duplicate_of.confidence for line in readable if line.duplicate_of]
    return {
        "questions": len(names),
        "of": len(readable),
        "confidence": min(sure, default=1.0),
        "names": names,
    }


def _there(line: ReportLine | PlannedItem) -> str:
    """Give the question of the bank that an item is, or seems to be, in its own language."""
    if line.duplicate_of:
        return line.duplicate_of.name
    return line.name if line.in_bank and line.match is None else ""


def _note(note: Note) -> dict[str, Any]:
    return {
        "line": note.line,
        "code": note.code,
        "quote": note.quote,
        "message": message_for(note.code, NOTES),
    }


def render_lines(report: ImportReport, parcel: ParsedFile, filename: str) -> Iterator[str]:
    """Tell a report line by line, as compilers do: `file:line: what, and why`."""
    if grades := source_grades.sentence(source_grades.as_json(parcel.metadata)):
        yield f"{filename}: {grades}"
    for line in report.lines:
        source_item = line.source_item
        place = ":".join(filter(None, (filename, source_item.archive_path, str(source_item.line))))
        became = ", ".join(dict.fromkeys((source_item.status, str(line.action))))
        became += ", not chosen" if _left(line) else ""
        yield f"{place}: {line.name or source_item.name}: {became}"
        for note in source_item.notes:
            yield f"  {_quoted(note)}"
        for problem in line.problems:
            yield f"  {problem.where}: {problem.code.replace('_', ' ')}"
        yield from _kin(line)
    for note in parcel.ignored_lines:
        yield f"{filename}:{note.line}: {message_for(note.code, NOTES)} {note.quote}".rstrip()


def _kin(line: ReportLine) -> Iterator[str]:
    """Tell of which question an item is the twin, or the like."""
    joined = line.action == ImportAction.TWIN or (line.match is not None and line.match.confirmed)
    for code, match in (
        ("twin_joined" if joined else "twin", line.match),
        ("alike", line.duplicate_of),
    ):
        if match:
            sure = {"question": match.name, "percent": int(match.confidence * 100)}
            reasons = (reason_message(reason) for reason in match.reasons)
            yield f"  {' '.join([message_for(code, TWINS, sure), *reasons])}"
            if match.key_change in KEYS:
                yield f"  {message_for(match.key_change, KEYS)}"


def reason_message(reason: Reason) -> str:
    """Say a reason as a sentence."""
    detail = {"words": ", ".join(reason.words), **reason.detail}
    return message_for(reason.code, REASONS, detail)


def _left(line: ReportLine) -> bool:
    return not line.selected and line.action not in {"same", "refused"}


def _quoted(note: Note) -> str:
    quote = f" “{note.quote}”" if note.quote else ""
    return f"line {note.line}: {message_for(note.code, NOTES)}{quote}"


def is_clean(report: ImportReport) -> bool:
    """Tell whether all of a file is in the bank, or was there, with nothing left to look at."""
    complete = {ImportAction.NEW, ImportAction.CHANGED, ImportAction.TWIN, ImportAction.SAME}
    return all(line.action in complete and not line.problems for line in report.lines)


def refusal_message(error: Invalid) -> str:
    """Say why a file was not even opened."""
    return message_for(error.code, REFUSALS, error.detail)


def warning_line(warning: ExportWarning) -> str:
    """Tell what a format could not hold."""
    return f"{warning.question or 'bank'}: {message_for(warning.code, LOSSES, warning.detail)}"
