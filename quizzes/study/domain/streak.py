"""Days in a row on which somebody studied; one day missed in a week does not end it. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

FORGIVEN_EVERY: Final = 7
"""Days within which one day may be missed."""


@dataclass(frozen=True, slots=True)
class Streak:
    """How many days were studied in a row; `missed` are days in between that were forgiven."""

    days: int
    missed: int


def find_streak(studied: Collection[date], today: date) -> Streak:
    """Return the streak that still goes on today; today may still come, so it is no missed day."""
    days, missed, pending = 0, 0, 0
    day = today if today in studied else today - timedelta(days=1)
    last_miss: date | None = None
    while True:
        if day in studied:
            days, missed, pending = days + 1, missed + pending, 0
        elif pending or (last_miss is not None and (last_miss - day).days < FORGIVEN_EVERY):
            return Streak(days, missed)
        else:
            pending, last_miss = 1, day
        day -= timedelta(days=1)
