"""What an import would do, laid out once on the disk beside its file and read a page at a time.

To read ten thousand questions and to hold them against a bank takes seconds; a page of them must
not. The index says of each item as much as choosing, filtering and counting need.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import uuid4

from grading.contract import Problem
from quizzes.document import compute_digest
from quizzes.formats.contract import ImportStatus, Note, ParsedFile
from quizzes.imports import import_media, importer, job_files, source_excerpts
from quizzes.imports.import_plan.serialization import (
    from_json,
    note_from_json,
    note_to_json,
    to_json,
)
from quizzes.imports.import_plan.values import Planned, What
from quizzes.imports.importer import Choice, Line, Report
from quizzes.imports.match_answers import Answers, is_safe
from quizzes.imports.models import ImportJob

STEP = 250
"""Items between two words on how far it is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item in the index: what would become of it, and where its details begin.

    `sure`: how sure a twin is that waits for an answer and touches no key, 0 where there is none.
    """

    what: What
    verdict: ImportStatus
    usual: bool
    print: str
    at: int
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan as somebody sees it; `entries` in the order of the file."""

    title: str
    language: str
    noise: tuple[Note, ...]
    pictures: frozenset[str]
    entries: tuple[Entry, ...]
    details: str  # the ending of the file that has them

    @property
    def digest(self) -> str:
        """A fingerprint, to tell whether the plan is still the one that a person saw."""
        return compute_digest(self.prints)

    @property
    def prints(self) -> list[str]:
        """Those of the items."""
        return [one.print for one in self.entries]

    @property
    def usual(self) -> frozenset[int]:
        """The items that nothing speaks against."""
        return frozenset(number for number, one in enumerate(self.entries) if one.usual)

    def verdicts(self) -> Counter[str]:
        """Count the items by what became of them in reading; the sum is what the file holds."""
        return Counter(one.verdict for one in self.entries)

    def counts(self) -> Counter[str]:
        """Count the items by what would become of them; the sum is what the file holds."""
        return Counter(one.what for one in self.entries)


@dataclass(frozen=True, slots=True)
class Detail:
    """One item as it was planned, what keeps it from being published, and its part of the file."""

    planned: Planned
    problems: tuple[Problem, ...]
    source: str


def lay(job: ImportJob, parcel: ParsedFile) -> Report:
    """Plan a parcel as the bank is now, and keep the plan beside the file; give it as a report."""
    pictures = import_media.pictures(bank=job.bank, parcel=parcel)
    for one in pictures:
        if not one.held:
            job_files.keep_picture(job.uuid, one.name, one.data)
    # Two may lay out the same file at once: each writes its own, and the later index counts.
    ending = f"plan-{uuid4().hex}"
    with job_files.path_of(job.uuid, ending).open("wb") as file:
        writing = _Writing(job, file)
        report = importer.foretell(
            bank=job.bank,
            parcel=parcel,
            choice=Choice(anew=frozenset(job.anew or ()), twins=Answers.from_json(job.twins or {})),
            witness=writing.add,
        )
    _keep(
        job,
        Outlook(
            title=parcel.about.title,
            language=parcel.about.language,
            noise=parcel.ignored_lines,
            pictures=frozenset(one.name for one in pictures if not one.held),
            entries=tuple(writing.entries),
            details=ending,
        ),
    )
    return report


class _Writing:
    """Writes the details of a plan, a line each, and keeps their places."""

    def __init__(self, job: ImportJob, file: BinaryIO) -> None:
        self.entries: list[Entry] = []
        self._uuid, self._file = job.uuid, file
        self._lines = source_excerpts.of(job_files.read(job.uuid), job.format)

    def add(self, one: Planned, line: Line) -> None:
        """Write one item; from time to time, tell how many there are."""
        told = {
            **to_json(one),
            "problems": [[each.where, each.code, each.detail] for each in line.problems],
            "source": source_excerpts.excerpt(self._lines, one.found),
        }
        open_ = one.twin if one.twin and one.before is None else None
        sure = open_.confidence if open_ and is_safe(open_, one.found) else 0.0
        self.entries.append(
            Entry(one.what, one.found.status, one.usual, one.print(), self._file.tell(), sure)
        )
        self._file.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")
        if one.number % STEP == 0:
            job_files.tell(self._uuid, one.number)


def _keep(job: ImportJob, outlook: Outlook) -> None:
    """Write the index; the plan counts once it is there."""
    told = {
        "title": outlook.title,
        "language": outlook.language,
        "noise": [note_to_json(note) for note in outlook.noise],
        "pictures": sorted(outlook.pictures),
        "details": outlook.details,
        "entries": [
            [one.what, one.verdict, one.usual, one.print, one.at, one.sure]
            for one in outlook.entries
        ],
    }
    draft = job_files.path_of(job.uuid, f"index-{uuid4().hex}")
    draft.write_text(json.dumps(told), encoding="utf-8")
    draft.replace(job_files.path_of(job.uuid, "index"))


def of(job: ImportJob) -> Outlook:
    """Give the plan of an import; FileNotFoundError where none was laid out, or it is over."""
    told = json.loads(job_files.path_of(job.uuid, "index").read_bytes())
    return Outlook(
        title=told["title"],
        language=told["language"],
        noise=tuple(note_from_json(note) for note in told["noise"]),
        pictures=frozenset(told["pictures"]),
        entries=tuple(
            Entry(What(what), ImportStatus(verdict), *others)
            for what, verdict, *others in told["entries"]
        ),
        details=told["details"],
    )


def details(job: ImportJob, outlook: Outlook, numbers: Iterable[int]) -> Iterator[Detail]:
    """Give these items, whole."""
    with job_files.path_of(job.uuid, outlook.details).open("rb") as file:
        for number in numbers:
            file.seek(outlook.entries[number].at)
            told: dict[str, Any] = json.loads(file.readline())
            found = tuple(Problem(*each) for each in told["problems"])
            yield Detail(from_json(told), found, told["source"])
