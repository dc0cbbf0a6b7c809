"""Counting attempts as they change: each exactly once, in the background (ADR 35).

The queue is the numbers of changes of attempts (ADR 24): grading, regrading, voiding and erasing
number an attempt anew. What an attempt counts in now is compared with what it was counted in, so
that a change that is met twice changes nothing, and a batch that fails is repeated as a whole.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from json import dumps
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import F, QuerySet

from quizzes.attempts.models import Attempt, State
from quizzes.bank.models import QuestionVersion
from quizzes.lib.change_numbers import read_horizon
from quizzes.publishing.models import QuizVersion
from quizzes.statistics.attempt_records import (
    CountableAttempt,
    list_countable,
    load_attempt_records,
)
from quizzes.statistics.domain.attempt_record import AttemptRecord
from quizzes.statistics.domain.frequencies import NotCounted
from quizzes.statistics.domain.states import AnswerState, ScoreState
from quizzes.statistics.models import (
    CountedAttempt,
    CountedRow,
    CountedTable,
    CountingCursor,
    QuizVersionStatistics,
)

Name = TypeVar("Name", bytes, int)
BATCH: Final = 200
"""Attempts that are counted in one transaction: on SQLite nobody else writes meanwhile."""
MAX_IN_QUERY: Final = 500
"""Digests that one query names."""
DIGEST_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class RowKey:
    """A row of the frequency tables of a quiz version, and the question version that it is of."""

    version: str | None
    language: str
    attempt_number: int
    table: str
    row: tuple[Any, ...]

    def compute_digest(self) -> bytes:
        """Return what tells this row from all others of its quiz version."""
        columns = (self.version, self.language, self.attempt_number, self.table, self.row)
        text = dumps(columns, separators=(",", ":"))
        return blake2b(text.encode(), digest_size=DIGEST_SIZE).digest()


@dataclass
class RowChanges:
    """By how much each row of a quiz version changes, by its digest."""

    keys: dict[bytes, RowKey] = field(default_factory=dict)
    counts: Counter[bytes] = field(default_factory=Counter)

    def add(self, keys: Mapping[bytes, RowKey]) -> None:
        """Count an attempt in these rows."""
        self.keys.update(keys)
        self.counts.update(keys.keys())

    def remove(self, digests: Iterable[bytes]) -> None:
        """Take an attempt out of these rows."""
        self.counts.subtract(digests)


def list_row_keys(record: AttemptRecord) -> Iterator[RowKey]:
    """Yield the rows that an attempt counts in, each once."""
    for _table, row in ScoreState().build_changes(record):
        yield _build_key(None, record, row)
    for response in record.responses:
        for _table, row in AnswerState().build_changes(response, record.mark_total):
            yield _build_key(response.question, record, row)


def _build_key(version: str | None, record: AttemptRecord, row: Any) -> RowKey:
    is_result = isinstance(row, tuple)
    table = CountedTable.RESULTS if is_result else CountedTable.SECONDS
    columns = tuple(row) if is_result else (row,)
    return RowKey(version, record.language, record.number, table.value, columns)


def count_changes() -> int | None:
    """Count a batch of attempts that changed; return how many were looked at.

    0: all are counted, up to changes that are being written. None: another process is counting.
    """
    horizon = read_horizon().horizon
    with transaction.atomic():
        cursor = _lock_cursor(wait=False)
        if cursor is None:
            return None
        changed = Attempt.objects.filter(
            change_number__gt=cursor.last_change, change_number__lt=horizon
        )
        numbers = dict(changed.order_by("change_number").values_list("pk", "change_number")[:BATCH])
        if numbers:
            _count(list(numbers))
            cursor.last_change = max(numbers.values())
            cursor.save()
    return len(numbers)


def _lock_cursor(*, wait: bool) -> CountingCursor | None:
    """Lock the one row that is locked while somebody counts; None where others have it locked."""
    CountingCursor.objects.get_or_create(number=1)
    return CountingCursor.objects.select_for_update(skip_locked=not wait).first()


def _count(attempts: Sequence[int]) -> None:
    """Bring these attempts to what they count in now; without effect where they do so already."""
    counted = {row.attempt_id: row for row in CountedAttempt.objects.filter(attempt__in=attempts)}
    results = list_countable(attempts)
    countable = load_attempt_records(results)
    changes: dict[int, RowChanges] = defaultdict(RowChanges)
    removed, added = [], []
    for attempt in attempts:
        before, after = counted.get(attempt), countable.get(attempt)
        keys = _list_keys(after)
        if before is not None and after is not None and _join(keys) == bytes(before.digests):
            if before.grading_id != after.grading_id:
                removed.append(before.pk)
                added.append(_build_counted(after, keys))
            continue
        if before is not None:
            changes[before.quiz_version_id].remove(split_digests(before.digests))
            removed.append(before.pk)
        if after is not None:
            changes[after.quiz_version_id].add(keys)
            added.append(_build_counted(after, keys))
    CountedAttempt.objects.filter(pk__in=removed).delete()
    CountedAttempt.objects.bulk_create(added)
    for quiz_version, row_changes in changes.items():
        _write_changes(quiz_version, row_changes)
    _note_change(attempts)


def _list_keys(countable: CountableAttempt | None) -> dict[bytes, RowKey]:
    if countable is None:
        return {}
    return {key.compute_digest(): key for key in list_row_keys(countable.record)}


def _join(digests: Iterable[bytes]) -> bytes:
    return b"".join(digests)


def split_digests(joined: bytes | memoryview) -> list[bytes]:
    """Return the digests of the rows that an attempt is counted in."""
    text = bytes(joined)
    return [text[start : start + DIGEST_SIZE] for start in range(0, len(text), DIGEST_SIZE)]


def _build_counted(countable: CountableAttempt, keys: Mapping[bytes, RowKey]) -> CountedAttempt:
    return CountedAttempt(
        attempt_id=countable.attempt_id,
        quiz_version_id=countable.quiz_version_id,
        grading_id=countable.grading_id,
        language=countable.record.language,
        digests=_join(keys),
    )


def _write_changes(quiz_version: int, changes: RowChanges) -> None:
    """Add to the rows of a quiz version, and remove those that occur no more."""
    deltas = {digest: delta for digest, delta in changes.counts.items() if delta}
    rows = CountedRow.objects.filter(quiz_version=quiz_version)
    counts: dict[bytes, tuple[int, int]] = {}
    for digests in _split(deltas):
        for pk, digest, count in rows.filter(digest__in=digests).values_list(
            "pk", "digest", "count"
        ):
            counts[bytes(digest)] = pk, count
    by_delta: dict[int, list[int]] = defaultdict(list)
    added, gone = [], []
    versions = _load_versions(changes.keys[digest] for digest in deltas if digest not in counts)
    for digest, delta in deltas.items():
        pk, count = counts.get(digest, (0, 0))
        if count + delta < 0:
            raise NotCounted(f"row {digest.hex()} of quiz version {quiz_version}")
        if not pk:
            added.append(_build_row(quiz_version, digest, changes.keys[digest], delta, versions))
        elif count + delta:
            by_delta[delta].append(pk)
        else:
            gone.append(pk)
    CountedRow.objects.bulk_create(added)
    for delta, pks in by_delta.items():
        for batch in _split(pks):
            rows.filter(pk__in=batch).update(count=F("count") + delta)
    for batch in _split(gone):
        rows.filter(pk__in=batch).delete()


def _note_change(attempts: Sequence[int]) -> None:
    """Have the quiz versions of these attempts measured, also where one waits for its mark."""
    ended = Attempt.objects.filter(pk__in=attempts, state__in=[State.GRADED, State.VOID])
    quiz_versions = set(ended.order_by().values_list("quiz_version", flat=True))
    headers = QuizVersionStatistics.objects.filter(quiz_version__in=quiz_versions)
    headers.update(changes=F("changes") + 1)
    missing = quiz_versions - set(headers.values_list("quiz_version", flat=True))
    QuizVersionStatistics.objects.bulk_create(
        QuizVersionStatistics(quiz_version_id=quiz_version, changes=1) for quiz_version in missing
    )


def _split(names: Iterable[Name]) -> Iterator[list[Name]]:
    """Yield as many as one query names at a time."""
    remaining = list(names)
    yield from (
        remaining[start : start + MAX_IN_QUERY] for start in range(0, len(remaining), MAX_IN_QUERY)
    )


def _load_versions(keys: Iterable[RowKey]) -> dict[str, int]:
    uuids = {key.version for key in keys if key.version is not None}
    rows = QuestionVersion.objects.filter(uuid__in=uuids).values_list("uuid", "pk")
    return {str(uuid): pk for uuid, pk in rows}


def _build_row(
    quiz_version: int, digest: bytes, key: RowKey, count: int, versions: Mapping[str, int]
) -> CountedRow:
    return CountedRow(
        quiz_version_id=quiz_version,
        version_id=None if key.version is None else versions[key.version],
        language=key.language,
        attempt_number=key.attempt_number,
        table=key.table,
        row=list(key.row),
        digest=digest,
        count=count,
    )


def restart_counting(quiz_versions: QuerySet[QuizVersion]) -> None:
    """Forget what was counted of these quiz versions, so that it is counted from the beginning.

    Their pages show the measures of before until that is done.
    """
    for quiz_version in quiz_versions.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            _lock_cursor(wait=True)
            CountedRow.objects.filter(quiz_version=quiz_version).delete()
            CountedAttempt.objects.filter(quiz_version=quiz_version).delete()
            QuizVersionStatistics.objects.filter(quiz_version=quiz_version).update(
                changes=F("changes") + 1
            )
            CountingCursor.objects.update(last_change=0)
