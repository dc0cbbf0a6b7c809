"""What an import did or would do, as plain values: the same for every door."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from quizzes.formats.contract import ExportWarning, FileError, Note, ParsedFile
from quizzes.imports import source_grades
from quizzes.imports.import_plan.values import Planned, What
from quizzes.imports.importer import Line, Report
from quizzes.imports.sayings import KEYS, LOSSES, NOTES, REASONS, REFUSALS, TWINS
from quizzes.lib.errors import Invalid
from quizzes.matching import Reason
from quizzes.matching.language_match import LanguageMatch

SOME: Final = 2
"""Questions that a file must share with a bank to seem the same quiz."""


def words(code: str, sayings: Mapping[str, Any], detail: Mapping[str, Any] | None = None) -> str:
    """Say a code in the reader's language; one without a sentence stands for itself."""
    said = str(sayings.get(code) or code.replace("_", " "))
    return said % defaultdict(str, detail or {}) if "%(" in said else said


def as_json(report: Report, parcel: ParsedFile, *, written: bool) -> dict[str, Any]:
    """Give a report as JSON: the counts by verdict and by plan, then item by item."""
    return {
        "written": written,
        "about": source_grades.as_json(parcel.about),
        "verdicts": parcel.counts(),
        "counts": report.counts(),
        "published": sum(line.published for line in report.lines),
        "same_quiz": same_quiz(report.lines),
        "twins_sought": all(line.searched for line in report.lines),
        "items": [_item(line) for line in report.lines],
        "noise": [_note(note) for note in parcel.ignored_lines],
        "troubles": troubles(parcel.errors),
    }


def troubles(every: Iterable[FileError]) -> list[dict[str, Any]]:
    """Give what keeps a whole file out."""
    return [
        {"line": one.line, "where": one.where, "code": one.code, "message": one.message}
        for one in every
    ]


def _item(line: Line) -> dict[str, Any]:
    return {
        "number": line.number,
        "name": line.name or line.found.name,
        "kind": line.found.kind,
        "member": line.found.archive_path,
        "line": line.found.line,
        "last": line.found.end_line,
        "points": source_grades.plain(line.found.points),
        "verdict": line.found.status,
        "what": line.what,
        "chosen": line.chosen,
        "published": line.published,
        "notes": [_note(note) for note in line.found.notes],
        "problems": [{"where": one.where, "code": one.code} for one in line.problems],
        "twin": twin(line.twin),
        "alike": twin(line.alike),
    }


def twin(one: LanguageMatch | None) -> dict[str, Any] | None:
    """Give the question that an item may be: how sure, why, what joining them does to the key."""
    if one is None:
        return None
    return {
        "question": one.name,
        "language": one.language,
        "confidence": one.confidence,
        "known": one.known,
        "key": one.key,
        "left_out": list(one.left_out),
        "reasons": [
            {"code": reason.code, "words": list(reason.words), **reason.detail}
            for reason in one.reasons
        ],
    }


def same_quiz(lines: Collection[Line | Planned]) -> dict[str, Any] | None:
    """Tell whether half of a file or more seems to be in the bank already, in its own language.

    Give how many of its questions are, of how many, and how sure the least sure of them is.
    """
    asked = [line for line in lines if line.what != What.REFUSED]
    names = [name for line in asked if (name := _there(line))]
    if len(names) < SOME or len(names) * 2 < len(asked):
        return None
    sure = [line.alike.confidence for line in asked if line.alike]
    return {
        "questions": len(names),
        "of": len(asked),
        "confidence": min(sure, default=1.0),
        "names": names,
    }


def _there(line: Line | Planned) -> str:
    """Give the question of the bank that an item is, or seems to be, in its own language."""
    if line.alike:
        return line.alike.name
    return line.name if line.held and line.twin is None else ""


def _note(note: Note) -> dict[str, Any]:
    return {
        "line": note.line,
        "code": note.code,
        "quote": note.quote,
        "message": words(note.code, NOTES),
    }


def lines(report: Report, parcel: ParsedFile, filename: str) -> Iterator[str]:
    """Tell a report line by line, as compilers do: `file:line: what, and why`."""
    if said := source_grades.sentence(source_grades.as_json(parcel.about)):
        yield f"{filename}: {said}"
    for line in report.lines:
        found = line.found
        place = ":".join(filter(None, (filename, found.archive_path, str(found.line))))
        became = ", ".join(dict.fromkeys((found.status, str(line.what))))
        became += ", not chosen" if _left(line) else ""
        yield f"{place}: {line.name or found.name}: {became}"
        for note in found.notes:
            yield f"  {_quoted(note)}"
        for problem in line.problems:
            yield f"  {problem.where}: {problem.code.replace('_', ' ')}"
        yield from _kin(line)
    for note in parcel.ignored_lines:
        yield f"{filename}:{note.line}: {words(note.code, NOTES)} {note.quote}".rstrip()


def _kin(line: Line) -> Iterator[str]:
    """Tell of which question an item is the twin, or the like."""
    joined = line.what == What.TWIN or (line.twin is not None and line.twin.known)
    for code, one in (("twin_joined" if joined else "twin", line.twin), ("alike", line.alike)):
        if one:
            sure = {"question": one.name, "percent": int(one.confidence * 100)}
            reasons = (reason_in_words(reason) for reason in one.reasons)
            yield f"  {' '.join([words(code, TWINS, sure), *reasons])}"
            if one.key in KEYS:
                yield f"  {words(one.key, KEYS)}"


def reason_in_words(reason: Reason) -> str:
    """Say a reason as a sentence."""
    detail = {"words": ", ".join(reason.words), **reason.detail}
    return words(reason.code, REASONS, detail)


def _left(line: Line) -> bool:
    return not line.chosen and line.what not in {"same", "refused"}


def _quoted(note: Note) -> str:
    quote = f" “{note.quote}”" if note.quote else ""
    return f"line {note.line}: {words(note.code, NOTES)}{quote}"


def is_clean(report: Report) -> bool:
    """Tell whether all of a file is in the bank, or was there, with nothing left to look at."""
    whole = {What.NEW, What.CHANGED, What.TWIN, What.SAME}
    return all(line.what in whole and not line.problems for line in report.lines)


def refusal(error: Invalid) -> str:
    """Say why a file was not even opened."""
    return words(error.code, REFUSALS, error.detail)


def loss(one: ExportWarning) -> str:
    """Tell what a format could not hold."""
    return f"{one.question or 'bank'}: {words(one.code, LOSSES, one.detail)}"
