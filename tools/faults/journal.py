"""What the database holds, read behind the site's back, and what it should hold."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg2

from config.database import database
from tools.faults.learners import Learner

ENTRIES = """
    SELECT a.uuid, r.idempotency_key, r.slot, r.revision, r.status, r.answer
    FROM attempts_response r JOIN attempts_attempt a ON a.id = r.attempt_id
    WHERE r.id > {} ORDER BY r.id
"""


@dataclass(frozen=True)
class Entry:
    """A row of the journal: one save of one attempt."""

    attempt: UUID
    operation: UUID
    slot: int
    revision: int
    status: str
    answer: Any


def _connect(url: str) -> Any:
    connection = database(url)
    if "sqlite" in connection["ENGINE"]:
        return sqlite3.connect(connection["NAME"], timeout=20)
    return psycopg2.connect(
        dbname=connection["NAME"],
        user=connection["USER"],
        host=connection["HOST"],
        port=connection["PORT"],
    )


@contextmanager
def holding(url: str, query: str) -> Iterator[list[tuple[Any, ...]]]:
    """Ask the database itself, and keep the locks that the question took during the block."""
    with closing(_connect(url)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(query)
        yield list(cursor.fetchall())


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """Ask the database itself."""
    with holding(url, query) as locked:
        return locked


def entries(url: str, after: int = 0) -> list[Entry]:
    """Read the journal, all of it or the rows after the one with this number."""
    return [
        Entry(
            UUID(str(attempt)),
            UUID(str(operation)),
            slot,
            revision,
            status,
            json.loads(answer) if isinstance(answer, str) else answer,
        )
        for attempt, operation, slot, revision, status, answer in rows(url, ENTRIES.format(after))
    ]


def lost(learners: Iterable[Learner], url: str) -> set[UUID]:
    """Return the saves that were acknowledged and are not in the database."""
    # Read before the journal: learners who go on saving are acknowledged meanwhile.
    acknowledged = {save for learner in learners for save in set(learner.acknowledged)}
    return acknowledged - {entry.operation for entry in entries(url)}


def assert_whole(learners: Sequence[Learner], journal: Sequence[Entry]) -> None:
    """Everything that was ever sent is there once, as it was sent, and numbered without a gap."""
    for learner in learners:
        mine = [row for row in journal if row.attempt == learner.attempt_id]
        assert not learner.doubtful
        assert sorted(row.operation for row in mine) == sorted(learner.sent)
        for row in mine:
            sent = learner.sent[row.operation]
            assert (row.slot, row.status) == (sent["slot"], "accepted")
            assert sorted(row.answer["chosen"]) == sorted(sent["answer"]["chosen"])
        for slot in {row.slot for row in mine}:
            revisions = sorted(row.revision for row in mine if row.slot == slot)
            assert revisions == list(range(1, len(revisions) + 1))
