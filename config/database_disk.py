"""Whether PostgreSQL can still write where its data lie: no role may ask, so a little is written.

A temporary file of 1 MB in the database's own tablespace, which is gone with its statement: no row,
no catalogue and no write-ahead log. How much is free stays unknown, and so does the log's disk
where that is another one.
"""

from typing import Final

from django.db import DatabaseError, connection, transaction

from quizzes.lib import steady_clock

INTERVAL: Final = 60.0
"""Seconds after which it is tried again; AFTER_FAILURE where the last try failed."""
AFTER_FAILURE: Final = 5.0
# Larger than what the statement may keep in memory, smaller than what one segment of the log needs.
_WRITE = """
SET LOCAL temp_tablespaces = '';
SET LOCAL work_mem = '64kB';
SET LOCAL statement_timeout = '1500ms';
WITH filler AS MATERIALIZED (SELECT repeat('0', 100000) FROM generate_series(1, 10))
SELECT count(*) FROM filler
"""
_NO_ANSWER: Final = {None, "57014", "53400"}
"""SQLSTATEs that say nothing of the disk: no connection, took too long, more than is allowed."""


class DatabaseDisk:
    """What this process knows of the disk, and since when."""

    def __init__(self) -> None:
        self.tried_at = -INTERVAL
        self.is_writable = True

    def can_write(self) -> bool:
        """Return whether the last try succeeded; try again if that is a while ago."""
        pause = INTERVAL if self.is_writable else AFTER_FAILURE
        if connection.vendor == "postgresql" and steady_clock.seconds() - self.tried_at >= pause:
            self.is_writable = _try_to_write()
            self.tried_at = steady_clock.seconds()
        return self.is_writable


def _try_to_write() -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_WRITE)
    except DatabaseError as error:
        return getattr(error.__cause__, "pgcode", None) in _NO_ANSWER
    return True


database_disk = DatabaseDisk()
