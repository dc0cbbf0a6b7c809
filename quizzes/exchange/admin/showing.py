"""One item of a file, laid beside its source: what a person needs to choose."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.bank.admin import differences
from quizzes.bank.admin.differences import Difference
from quizzes.bank.admin.preview import Shown, preview
from quizzes.bank.sayings import say
from quizzes.exchange import arriving, illustrating, importing, keeping
from quizzes.exchange.contract import Note, Parcel
from quizzes.exchange.models import ImportJob
from quizzes.exchange.planning import Planned, What
from quizzes.exchange.reading.decoding import decode
from quizzes.exchange.sayings import NOTES
from quizzes.exchange.telling import words

MOST_LINES: Final = 60
MOST_CHARACTERS: Final = 4000

WHATS: dict[str, Promise] = {
    What.NEW: _("new"),
    What.SAME: _("the same"),
    What.CHANGED: _("changed"),
    What.CONFLICT: _("changed here as well"),
    What.REVIEW: _("needs a look"),
    What.REFUSED: _("not read"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A note as a sentence, with the line it is about and the file's own words."""

    line: int
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as the page shows it; `source` is empty where the file is no text."""

    planned: Planned
    label: Promise
    source: str
    notes: tuple[Said, ...]
    problems: tuple[str, ...]
    shown: tuple[Shown, ...]
    differences: tuple[Difference, ...]


def plans(job: ImportJob) -> tuple[Parcel, list[Planned]]:
    """Plan an import as the bank is now."""
    parcel = arriving.parcel_of(job)
    media = illustrating.known(bank=job.bank, parcel=parcel)
    return parcel, list(importing.planned(bank=job.bank, parcel=parcel, media=media))


def items(job: ImportJob, planned: list[Planned]) -> Iterator[ShownItem]:
    """Lay out these items."""
    source = _lines(keeping.read(job.uuid))
    for one in planned:
        names = {id_: name for name, id_ in one.rows.items()}
        found = importing.problems(job.bank, one.item) if one.item and one.writes else ()
        yield ShownItem(
            planned=one,
            label=WHATS[one.what],
            source=_source(source, one),
            notes=tuple(said(note) for note in one.found.notes),
            problems=tuple(say(problem.code, problem.detail) for problem in found),
            shown=preview(one.item, names) if one.item else (),
            differences=differences.between(one.before, one.item, names)
            if one.before and one.item and one.differences
            else (),
        )


def said(note: Note) -> Said:
    """Put a note into words."""
    return Said(note.line, words(note.code, NOTES), note.quote)


def _lines(data: bytes) -> list[str]:
    """Give the lines of a file that is text; of any other, none."""
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return []
    return decode(data)[0].split("\n")


def _source(lines: list[str], one: Planned) -> str:
    if one.found.member:
        return ""
    first = max(one.found.line, 1)
    last = min(max(one.found.last, first), first + MOST_LINES - 1)
    return "\n".join(lines[first - 1 : last])[:MOST_CHARACTERS]
