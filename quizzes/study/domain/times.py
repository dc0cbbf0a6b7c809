"""When a day of study begins, and when a review was that a device tells of. Pure."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

FIRST_YEAR, LAST_YEAR = 2000, 2199
"""Of the clocks of devices: what shows another year is no clock."""
MOST_DELAY: Final = timedelta(seconds=30)
"""What the way to the server may take: a clock is not called wrong for less."""


class StudyDay(NamedTuple):
    """A day of a learner: from `start` on, before `end`, in UTC."""

    start: datetime
    end: datetime

    def __contains__(self, moment: object) -> bool:
        """Return whether a moment is in the day."""
        return isinstance(moment, datetime) and self.start <= moment < self.end


def find_study_day(now: datetime, zone: tzinfo, starts_at: int) -> StudyDay:
    """Return the day of study that it is now: from an hour of the clock to the same next day."""
    date = (now.astimezone(zone).replace(tzinfo=None) - timedelta(hours=starts_at)).date()
    start, end = (
        datetime.combine(date + timedelta(days=days), time(starts_at), zone).astimezone(UTC)
        for days in (0, 1)
    )
    return StudyDay(start, end)


def correct_time(
    device_at: datetime, *, sent_at: datetime, received_at: datetime, earliest: datetime
) -> datetime:
    """Return when something was, by the server's clock, that a device says was at `device_at`.

    `sent_at` is what the device's clock showed when it sent it: what that differs from the server's
    counts as its error. Nothing was before `earliest`, or after it was received.
    """
    error = received_at - sent_at
    if timedelta() <= error <= MOST_DELAY:
        error = timedelta()
    return min(max(device_at + error, earliest), received_at)
