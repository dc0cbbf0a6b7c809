"""Whether the database is set as the locks, the journal and the clock of this site need it."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from django.db import DatabaseError, connection

from config.doctor.disks import find_full_disk
from config.doctor.findings import DeploymentFinding
from quizzes.lib import clock

MAX_DIFFERENCE: Final = 5.0
"""Seconds by which the clocks of this machine and of the database may differ."""
# What each setting must be; why; what to do.
_POSTGRESQL: Final[Mapping[str, tuple[str, str, str]]] = {
    "transaction_isolation": (
        "read committed",
        "The locks of attempts and grades rest on it.",
        "Let the pooler pass on the options of the connection, or set it itself.",
    ),
    "lock_timeout": (
        "5s",
        "A page would wait for ever behind another's lock.",
        "Let the pooler pass on the options of the connection, or set it itself.",
    ),
    "idle_in_transaction_session_timeout": (
        "15s",
        "A process that hangs in a transaction would hold its locks for ever.",
        "Let the pooler pass on the options of the connection, or set it itself.",
    ),
    "fsync": (
        "on",
        "Answers that were acknowledged are lost when the machine loses its power.",
        "Set `fsync = on` in postgresql.conf and restart the server.",
    ),
    "full_page_writes": (
        "on",
        "A page that was half written when the power failed cannot be brought back.",
        "Set `full_page_writes = on` in postgresql.conf.",
    ),
    "synchronous_commit": (
        "on",
        "Answers that were acknowledged are lost when the server ends suddenly.",
        "Set `synchronous_commit = on` in postgresql.conf and for the role.",
    ),
    "session_replication_role": (
        "origin",
        "The triggers that keep journal and gradings unchanged do not run.",
        "Set it to `origin` for the role of the site.",
    ),
    "server_encoding": (
        "UTF8",
        "Answers and questions hold characters that other encodings do not have.",
        "Make the database anew with `ENCODING 'UTF8'` and restore into it.",
    ),
}
_AS_SAFE: Final[Mapping[str, frozenset[str]]] = {
    "synchronous_commit": frozenset({"remote_apply", "remote_write", "local"})
}
_SQLITE: Final[Mapping[str, tuple[str, str, str]]] = {
    "journal_mode": (
        "wal",
        "Who reads would wait for who writes.",
        "Keep the file on a local disk that supports WAL, not on a network's.",
    ),
    "synchronous": (
        "2",
        "Answers that were acknowledged are lost when the machine loses its power.",
        "Use the connection as config/database.py makes it.",
    ),
}


def find_settings() -> Iterator[DeploymentFinding]:
    """Yield the settings of the database that endanger answers."""
    expected = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
    for name, (value, why, remedy) in expected.items():
        actual = _read_setting(name)
        if actual != value and actual not in _AS_SAFE.get(name, ()):
            what = f"The database has {name} = {actual}, not {value}."
            yield DeploymentFinding(f"database.{name}", what, why, remedy)


def _read_setting(name: str) -> str:
    show = f"SHOW {name}" if connection.vendor == "postgresql" else f"PRAGMA {name}"
    with connection.cursor() as cursor:
        cursor.execute(show)
        return str(cursor.fetchone()[0])


def find_clock() -> Iterator[DeploymentFinding]:
    """Yield a finding if the clock of this machine is not that of the database."""
    difference = time.time() - clock.read_now().timestamp()
    if abs(difference) > MAX_DIFFERENCE:
        way = "ahead of" if difference > 0 else "behind"
        yield DeploymentFinding(
            "clock",
            f"This machine's clock is {abs(difference):.0f} s {way} the database's.",
            "Deadlines go by the database's clock, but sessions, links in mails and logs by this"
            " one; a certificate may seem not to be valid.",
            "Keep both machines right by NTP; the embedded site: start it again.",
        )


def find_server_disk() -> Iterator[DeploymentFinding]:
    """Yield a finding if the disk of PostgreSQL is nearly full, where this role and machine see."""
    if connection.vendor != "postgresql":
        return
    try:
        folder = Path(_read_setting("data_directory"))
    except DatabaseError:
        return  # the role may not ask; docs/operations.md says so
    # A server elsewhere has its path elsewhere.
    if folder.is_absolute() and folder.exists():
        yield from find_full_disk("database server", folder)
