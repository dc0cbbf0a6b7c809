"""The plan of an import, stored on the disk beside its file and read a page at a time.

To read ten thousand questions and to compare them with a bank takes seconds; a page of them must
not. The index has as much of each item as selecting, filtering and counting need.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import uuid4

from quizzes.document import QuestionDocument, compute_digest
from quizzes.formats.contract import ImportStatus
from quizzes.imports import import_media, importer, job_files
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.importer import ImportSelection
from quizzes.imports.match_answers import MatchAnswers, is_safe
from quizzes.imports.models import ImportJob
from quizzes.imports.report import ImportReport, ReportItem
from quizzes.imports.sandbox.file_codec import FileReading
from quizzes.lib.dataclass_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """One item in the index: what is to be done with it, and where its details begin.

    `confidence` is that of a match which waits for an answer and is safe to merge, else 0.
    """

    action: ImportAction
    status: ImportStatus
    selected_by_default: bool
    fingerprint: str
    offset: int
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan as somebody sees it; `entries` in the order of the file.

    `as_new` and `match_answers` are those of the job that it was made for.
    """

    media: frozenset[str]
    entries: tuple[PlanEntry, ...]
    items_file: str  # the suffix of the file that has them
    as_new: list[int] | None
    match_answers: dict[str, Any] | None

    @property
    def digest(self) -> str:
        """A fingerprint, to check that the plan is still the one that a person saw."""
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
        """Return how many items have each status; the sum is the number of items."""
        return Counter(entry.status for entry in self.entries)

    def count_actions(self) -> Counter[str]:
        """Return how many items have each action; the sum is the number of items."""
        return Counter(entry.action for entry in self.entries)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """One item of a plan: what the report has of it, both states, and its part of the file.

    `rows` are the rows of the question, name → id.
    """

    report: ReportItem
    document: QuestionDocument | None
    before: QuestionDocument | None
    rows: Mapping[str, str]
    conflict_code: str
    excerpt: str


def write_plan(job: ImportJob, reading: FileReading) -> ImportReport:
    """Plan a file as the bank is now, store the plan beside it, and return it as a report."""
    parsed_file = reading.parsed_file
    new_media = [
        media
        for media in import_media.importable_media(bank=job.bank, parsed_file=parsed_file)
        if not media.in_bank
    ]
    for media in new_media:
        job_files.save_picture(job.uuid, media.name, media.data)
    # Two may plan the same file at once: each writes its own, and the later index counts.
    items_file = f"plan-{uuid4().hex}"
    with job_files.create_plan(job.uuid, items_file) as file:
        writer = _PlanWriter(file, reading.excerpts)
        report = importer.preview_import(
            bank=job.bank,
            parsed_file=parsed_file,
            selection=ImportSelection(
                as_new=frozenset(job.as_new or ()),
                answers=MatchAnswers.from_json(job.match_answers or {}),
            ),
            on_item=writer.add,
        )
    index = {
        "media": sorted(media.name for media in new_media),
        "items_file": items_file,
        "as_new": job.as_new,
        "match_answers": job.match_answers,
        "entries": [list(to_json(entry).values()) for entry in writer.entries],
    }
    job_files.save_index(job.uuid, json.dumps(index).encode())
    return report


class _PlanWriter:
    """Writes the items of a plan, one a line, and remembers where each begins."""

    def __init__(self, file: BinaryIO, excerpts: Sequence[str]) -> None:
        self.entries: list[PlanEntry] = []
        self._file, self._excerpts = file, excerpts

    def add(self, planned: PlannedItem, item: ReportItem) -> None:
        """Write one item."""
        source_item = planned.source_item
        stored_item = StoredItem(
            item,
            planned.document,
            planned.before,
            planned.rows,
            planned.conflict_code,
            self._excerpts[planned.number],
        )
        unanswered = planned.match if planned.before is None else None
        self.entries.append(
            PlanEntry(
                planned.action,
                source_item.status,
                planned.selected_by_default,
                planned.fingerprint(),
                self._file.tell(),
                unanswered.confidence if unanswered and is_safe(unanswered, source_item) else 0.0,
            )
        )
        line = json.dumps(to_json(stored_item), ensure_ascii=False)
        self._file.write(line.encode() + b"\n")


def load_plan(job: ImportJob) -> StoredPlan:
    """Return the plan of an import; FileNotFoundError where there is none, or it is over."""
    index = json.loads(job_files.load_index(job.uuid))
    entries = (
        PlanEntry(ImportAction(action), ImportStatus(status), *others)
        for action, status, *others in index["entries"]
    )
    return StoredPlan(
        frozenset(index["media"]),
        tuple(entries),
        index["items_file"],
        index["as_new"],
        index["match_answers"],
    )


def load_items(job: ImportJob, plan: StoredPlan, numbers: Iterable[int]) -> Iterator[StoredItem]:
    """Yield these items with their details."""
    with job_files.open_plan(job.uuid, plan.items_file) as file:
        for number in numbers:
            file.seek(plan.entries[number].offset)
            yield from_json(StoredItem, json.loads(file.readline()))
