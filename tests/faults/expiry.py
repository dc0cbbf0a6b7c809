"""How long after its cut-off each attempt ends, and is graded: watched from outside."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

import psycopg2

from tools.faults import journal

ATTEMPTS = "SELECT id, state, cutoff_at FROM attempts_attempt"
GRADINGS = "SELECT attempt_id, count(*) FROM results_grading GROUP BY attempt_id"
PAUSE = 0.03


@dataclass(frozen=True)
class Latencies:
    """Seconds from the cut-off, or from the end of an outage that came later, by attempt."""

    ended: Mapping[int, float]
    graded: Mapping[int, float]

    def __str__(self) -> str:
        return " | ".join(
            f"{name} median {median(seconds):.2f} s, max {max(seconds):.2f} s"
            for name, seconds in (
                ("ended", self.ended.values()),
                ("graded", self.graded.values()),
            )
        )


def _timestamp(stored: Any) -> float:
    if isinstance(stored, str):
        stored = datetime.fromisoformat(stored).replace(tzinfo=UTC)
    return float(stored.timestamp())


def watch(url: str, *, patience: float, since: float = 0.0, of: int) -> Latencies:
    """Look again and again until all are graded or `patience` seconds are over; none may be early.

    `since` is the end of an outage, in seconds since 1970.
    """
    ended: dict[int, float] = {}
    graded: dict[int, float] = {}
    until = time.monotonic() + patience
    rows: list[Any] = []
    while len(graded) < of and time.monotonic() < until:
        with suppress(psycopg2.OperationalError):
            rows = journal.rows(url, ATTEMPTS)
        now = time.time()
        for attempt, state, cutoff in rows:
            assert state == "open" or now > _timestamp(cutoff), "an attempt ended early"
            late = max(now - max(_timestamp(cutoff), since), 0)
            if state != "open":
                ended.setdefault(attempt, late)
            if state == "graded":
                graded.setdefault(attempt, late)
        time.sleep(PAUSE)
    assert len(graded) == of, rows
    return Latencies(ended, graded)


def assert_graded_once(url: str, of: int) -> None:
    """Check that each attempt expired and has one grading."""
    states = journal.rows(url, "SELECT state, submission_reason FROM attempts_attempt")
    assert states == [("graded", "expired")] * of
    assert [count for _, count in journal.rows(url, GRADINGS)] == [1] * of
