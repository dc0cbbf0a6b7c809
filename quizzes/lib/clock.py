"""The one clock: the database's, so that many web servers agree on what time it is (ADR 21).

Asking it each time would cost a query, so a reading of it goes on by this machine's steady clock.
The time of day that the machine is set to counts for nothing here: whoever puts it forward or back
moves no deadline.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection

from quizzes.lib import steady_clock

FRESH = 60.0
"""Seconds after which the database is asked again."""
SLOW = 1.0
"""Seconds that the database's answer may take for its time to be believed for so long."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the database's clock showed, and the second here at which it was read."""

    time: datetime
    read_at: float

    def now(self) -> datetime:
        """Return the database's time, moved on by the seconds since."""
        return self.time + timedelta(seconds=steady_clock.seconds() - self.read_at)


_readings: dict[str, _Reading] = {}


def now() -> datetime:
    """Return the database's time, aware, in UTC."""
    if connection.vendor != "postgresql":
        return machine_now()  # an embedded database has no clock of its own
    reading = _readings.get(connection.alias)
    if reading is None or steady_clock.seconds() - reading.read_at >= FRESH:
        return read_now()
    return reading.now()


def read_now() -> datetime:
    """Return the database's time by asking it, and go on from there."""
    return machine_now() if connection.vendor != "postgresql" else read_now_with("NULL")[0]


def read_now_with(columns: str) -> tuple[datetime, tuple[Any, ...]]:
    """Return the database's time by asking it, and what else the same statement selects."""
    on_postgresql = connection.vendor == "postgresql"
    asked_at = steady_clock.seconds()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {'clock_timestamp()' if on_postgresql else 'NULL'}, {columns}")
        row = cursor.fetchone()
    if not on_postgresql:
        return machine_now(), row[1:]
    reading = _Reading(row[0], steady_clock.seconds())
    # An answer that was long on its way is late by an unknown part of that: good for this once.
    if reading.read_at - asked_at < SLOW:
        _readings[connection.alias] = reading
    return reading.time, row[1:]


def machine_now() -> datetime:
    """Return this machine's time as it was when the site was started, and the seconds since.

    All processes of one start agree: they share `BOOT_TIME`.
    """
    return datetime.fromtimestamp(settings.BOOT_TIME / 1_000_000 + steady_clock.seconds(), UTC)
