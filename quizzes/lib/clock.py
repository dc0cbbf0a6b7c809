"""The one clock: the database's, so that many web servers agree on what time it is.

Asking it each time would cost a query, so its distance to this machine's clock is measured once
a minute and added.
"""

from datetime import datetime, timedelta
from threading import Lock

from django.db import connection
from django.utils import timezone

FRESH = timedelta(minutes=1)

_lock = Lock()
_measured: dict[str, tuple[datetime, timedelta]] = {}


def now() -> datetime:
    """Return the database's time, aware, in UTC."""
    here = timezone.now()
    if connection.vendor != "postgresql":
        return here  # an embedded database has no clock of its own
    return here + _distance(here)


def _distance(here: datetime) -> timedelta:
    with _lock:
        measured = _measured.get(connection.alias)
    if measured and timedelta(0) <= here - measured[0] < FRESH:
        return measured[1]
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
    distance = there - timezone.now()
    with _lock:
        _measured[connection.alias] = (here, distance)
    return distance
