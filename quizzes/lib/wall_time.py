"""Wall times: what clocks of a zone show. Where a clock is put forward or back, some are not one.

Pure: the zone is an argument (ADR 37).
"""

from datetime import UTC, datetime, timedelta, tzinfo

from quizzes.lib.errors import Invalid


def move_days(moment: datetime, days: int, zone: tzinfo) -> datetime:
    """Return the same wall time so many days later (or, below 0, earlier) in a zone, in UTC.

    A wall time that its clocks never show is Invalid `time_does_not_exist`, one that they show
    twice `time_occurs_twice`; `wall_time` of the detail is it, without a zone.
    """
    if not days:
        return moment
    wall_time = moment.astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(days=days)
    first, second = (wall_time.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None, fold=0) != wall_time:
        raise Invalid("time_does_not_exist", wall_time=wall_time)
    if first.utcoffset() != second.utcoffset():
        raise Invalid("time_occurs_twice", wall_time=wall_time)
    return first.astimezone(UTC)
