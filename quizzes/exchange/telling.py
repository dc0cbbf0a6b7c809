"""What an import did or would do, as plain values: the same for every door."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quizzes.exchange.contract import Loss, Note, Parcel, Trouble
from quizzes.exchange.importing import Line, Report
from quizzes.exchange.planning import What
from quizzes.exchange.sayings import LOSSES, NOTES, REFUSALS
from quizzes.lib.errors import Invalid


def words(code: str, sayings: Mapping[str, Any], detail: Mapping[str, Any] | None = None) -> str:
    """Say a code in the reader's language; one without a sentence stands for itself."""
    said = str(sayings.get(code) or code.replace("_", " "))
    return said % defaultdict(str, detail or {}) if "%(" in said else said


def as_json(report: Report, parcel: Parcel, *, written: bool) -> dict[str, Any]:
    """Give a report as JSON: the counts by verdict and by plan, then item by item."""
    return {
        "written": written,
        "verdicts": parcel.counts(),
        "counts": report.counts(),
        "published": sum(line.published for line in report.lines),
        "items": [_item(line) for line in report.lines],
        "noise": [_note(note) for note in parcel.noise],
        "troubles": troubles(parcel.troubles),
    }


def troubles(every: Iterable[Trouble]) -> list[dict[str, Any]]:
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
        "member": line.found.member,
        "line": line.found.line,
        "last": line.found.last,
        "verdict": line.found.verdict,
        "what": line.what,
        "chosen": line.chosen,
        "published": line.published,
        "notes": [_note(note) for note in line.found.notes],
        "problems": [{"where": one.where, "code": one.code} for one in line.problems],
    }


def _note(note: Note) -> dict[str, Any]:
    return {
        "line": note.line,
        "code": note.code,
        "quote": note.quote,
        "message": words(note.code, NOTES),
    }


def lines(report: Report, parcel: Parcel, filename: str) -> Iterator[str]:
    """Tell a report line by line, as compilers do: `file:line: what, and why`."""
    for line in report.lines:
        found = line.found
        place = ":".join(filter(None, (filename, found.member, str(found.line))))
        became = ", ".join(dict.fromkeys((found.verdict, str(line.what))))
        became += ", not chosen" if _left(line) else ""
        yield f"{place}: {line.name or found.name}: {became}"
        for note in found.notes:
            yield f"  {_quoted(note)}"
        for problem in line.problems:
            yield f"  {problem.where}: {problem.code.replace('_', ' ')}"
    for note in parcel.noise:
        yield f"{filename}:{note.line}: {words(note.code, NOTES)} {note.quote}".rstrip()


def _left(line: Line) -> bool:
    return not line.chosen and line.what not in {"same", "refused"}


def _quoted(note: Note) -> str:
    quote = f" “{note.quote}”" if note.quote else ""
    return f"line {note.line}: {words(note.code, NOTES)}{quote}"


def is_clean(report: Report) -> bool:
    """Tell whether all of a file is in the bank, or was there, with nothing left to look at."""
    whole = {What.NEW, What.CHANGED, What.SAME}
    return all(line.what in whole and not line.problems for line in report.lines)


def refusal(error: Invalid) -> str:
    """Say why a file was not even opened."""
    return words(error.code, REFUSALS, error.detail)


def loss(one: Loss) -> str:
    """Tell what a format could not hold."""
    return f"{one.question or 'bank'}: {words(one.code, LOSSES, one.detail)}"
