"""Whether the replica that statistics, exports and lists are read from is there and follows."""

import time
from collections.abc import Iterator
from typing import Final

from django.db import DEFAULT_DB_ALIAS, Error, connections

from config.doctor.findings import DeploymentFinding
from quizzes.lib.read_replica import ALIAS, has_replayed, is_of_another_history, read_value

_PATIENCE: Final = 5.0
"""Seconds in which the replica must replay what is committed at this moment."""
_PAUSE: Final = 0.1
_WHY: Final = "Statistics, exports and long lists are read from the first database instead."


def find_replica() -> Iterator[DeploymentFinding]:
    """Yield why the replica, if the site has one, is of no use."""
    if ALIAS not in connections.settings:
        return
    try:
        follows = bool(read_value(ALIAS, "SELECT pg_is_in_recovery()"))
        is_up_to_date = follows and _catches_up()
        is_foreign = is_up_to_date and is_of_another_history()
    except Error as error:
        yield DeploymentFinding(
            "replica.away",
            f"The replica of the database does not answer: {type(error).__name__}.",
            _WHY,
            "Start it, or mend OCHENTA_DATABASE_REPLICA_URL.",
        )
        return
    if not follows:
        yield DeploymentFinding(
            "replica.writable",
            "The replica of the database follows no other server and accepts writes.",
            _WHY,
            "Name a standby in OCHENTA_DATABASE_REPLICA_URL; one that was promoted is none.",
        )
    elif not is_up_to_date:
        yield DeploymentFinding(
            "replica.lag",
            f"The replica of the database is more than {_PATIENCE:.0f} s behind.",
            _WHY,
            "See on the first server whether it streams (`SELECT * FROM pg_stat_replication`), and"
            " on the replica whether a long query or a pause holds it up.",
        )
    elif is_foreign:
        yield DeploymentFinding(
            "replica.foreign",
            "The replica of the database has what the first server never wrote.",
            _WHY,
            "Copy it anew from the first server: it follows what was there before a restore or a"
            " promotion, and cannot go on.",
        )


def _catches_up() -> bool:
    """Return whether the replica replays in time what is committed now."""
    committed = read_value(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_flush_lsn()::text")
    deadline = time.monotonic() + _PATIENCE
    while not has_replayed(committed):
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
    return True
