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
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.importer import ImportReport, ImportSelection, ReportLine
from quizzes.imports.match_answers import MatchAnswers, is_safe
from quizzes.imports.models import ImportJob

STEP = 250
"""Items between two words on how far it is."""


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """One item in the index: what would become of it, and where its details begin.

    `sure`: how sure a twin is that waits for an answer and touches no key, 0 where there is none.
    """

    action: ImportAction
    status: ImportStatus
    selected_by_default: bool
    fingerprint: str
    offset: int
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan as somebody sees it; `entries` in the order of the file."""

    title: str
    language: str
    ignored_lines: tuple[Note, ...]
    media: frozenset[str]
    entries: tuple[PlanEntry, ...]
    items_file: str  # the ending of the file that has them

    @property
    def digest(self) -> str:
        """A fingerprint, to tell whether the plan is still the one that a person saw."""
        return compute_digest(self.fingerprints)

    @property
    def fingerprints(self) -> list[str]:
        """Those of the items."""
        return [entry.fingerprint for entry in self.entries]

    @property
    def selected_by_default(self) -> frozenset[int]:
        """The items that nothing speaks against."""
        return frozenset(
            number for number, entry in enumerate(self.entries) if entry.selected_by_default
        )

    def count_statuses(self) -> Counter[str]:
        """Count the items by what became of them in reading; the sum is what the file holds."""
        return Counter(entry.status for entry in self.entries)

    def count_actions(self) -> Counter[str]:
        """Count the items by what would become of them; the sum is what the file holds."""
        return Counter(entry.action for entry in self.entries)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """One item as it was planned, what keeps it from being published, and its part of the file."""

    planned: PlannedItem
    problems: tuple[Problem, ...]
    excerpt: str


def write_plan(job: ImportJob, parcel: ParsedFile) -> ImportReport:
    """Plan a parcel as the bank is now, and keep the plan beside the file; give it as a report."""
    pictures = import_media.importable_media(bank=job.bank, parcel=parcel)
    for media in pictures:
        if not media.in_bank:
            job_files.save_picture(job.uuid, media.name, media.data)
    # Two may lay out the same file at once: each writes its own, and the later index counts.
    ending = f"plan-{uuid4().hex}"
    with job_files.path_of(job.uuid, ending).open("wb") as file:
        writing = _PlanWriter(job, file)
        report = importer.preview_import(
            bank=job.bank,
            parcel=parcel,
            selection=ImportSelection(
                as_new=frozenset(job.as_new or ()),
                answers=MatchAnswers.from_json(job.match_answers or {}),
            ),
            on_item=writing.add,
        )
    _write_index(
        job,
        StoredPlan(
            title=parcel.metadata.title,
            language=parcel.metadata.language,
            ignored_lines=parcel.ignored_lines,
            media=frozenset(media.name for media in pictures if not media.in_bank),
            entries=tuple(writing.entries),
            items_file=ending,
        ),
    )
    return report


class _PlanWriter:
    """Writes the details of a plan, a line each, and keeps their places."""

    def __init__(self, job: ImportJob, file: BinaryIO) -> None:
        self.entries: list[PlanEntry] = []
        self._uuid, self._file = job.uuid, file
        self._lines = source_excerpts.line_source(job_files.read_upload(job.uuid), job.format)

    def add(self, planned: PlannedItem, line: ReportLine) -> None:
        """Write one item; from time to time, tell how many there are."""
        stored = {
            **to_json(planned),
            "problems": [[each.where, each.code, each.detail] for each in line.problems],
            "source": source_excerpts.item_excerpt(self._lines, planned.source_item),
        }
        open_ = planned.match if planned.match and planned.before is None else None
        sure = open_.confidence if open_ and is_safe(open_, planned.source_item) else 0.0
        self.entries.append(
            PlanEntry(
                planned.action,
                planned.source_item.status,
                planned.selected_by_default,
                planned.fingerprint(),
                self._file.tell(),
                sure,
            )
        )
        self._file.write(json.dumps(stored, ensure_ascii=False).encode() + b"\n")
        if planned.number % STEP == 0:
            job_files.write_progress(self._uuid, planned.number)


def _write_index(job: ImportJob, outlook: StoredPlan) -> None:
    """Write the index; the plan counts once it is there."""
    index = {
        "title": outlook.title,
        "language": outlook.language,
        "ignored_lines": [note_to_json(note) for note in outlook.ignored_lines],
        "media": sorted(outlook.media),
        "items_file": outlook.items_file,
        "entries": [
            [
                entry.action,
                entry.status,
                entry.selected_by_default,
                entry.fingerprint,
                entry.offset,
                entry.confidence,
            ]
            for entry in outlook.entries
        ],
    }
    draft = job_files.path_of(job.uuid, f"index-{uuid4().hex}")
    draft.write_text(json.dumps(index), encoding="utf-8")
    draft.replace(job_files.path_of(job.uuid, "index"))


def load_plan(job: ImportJob) -> StoredPlan:
    """Give the plan of an import; FileNotFoundError where none was laid out, or it is over."""
    index = json.loads(job_files.path_of(job.uuid, "index").read_bytes())
    return StoredPlan(
        title=index["title"],
        language=index["language"],
        ignored_lines=tuple(note_from_json(note) for note in index["ignored_lines"]),
        media=frozenset(index["media"]),
        entries=tuple(
            PlanEntry(ImportAction(what), ImportStatus(verdict), *others)
            for what, verdict, *others in index["entries"]
        ),
        items_file=index["items_file"],
    )


def load_items(job: ImportJob, outlook: StoredPlan, numbers: Iterable[int]) -> Iterator[StoredItem]:
    """Give these items, whole."""
    with job_files.path_of(job.uuid, outlook.items_file).open("rb") as file:
        for number in numbers:
            file.seek(outlook.entries[number].offset)
            stored: dict[str, Any] = json.loads(file.readline())
            problems = tuple(Problem(*each) for each in stored["problems"])
            yield StoredItem(from_json(stored), problems, stored["source"])
