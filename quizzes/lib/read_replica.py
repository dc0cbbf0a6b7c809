"""Reads that a replica may answer: never less than what was committed when they began.

A site with `OCHENTA_DATABASE_REPLICA_URL` has a second database, `replica`, that streams what the
first one commits. What is marked here (statistics, exports, long lists) reads from it, once it has
replayed everything that the first one had committed when the read began; else from the first one.
So who has just written something sees it, whoever else wrote it, too. ADR 73.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Model
from django.template.response import TemplateResponse

P = ParamSpec("P")
T = TypeVar("T")

ALIAS: Final = "replica"
LONGEST_WAIT: Final = 0.1
"""Seconds that a read waits for the replica to replay what was committed."""
PAUSE: Final = 0.005
"""Seconds between two looks at it."""
AWAY: Final = 5.0
"""Seconds that nobody asks a replica again which was away or too far behind."""
STATEMENT_TIMEOUT: Final = "57014"
"""The code of a statement that took too long: on the first database it would, too."""

_is_active: ContextVar[bool] = ContextVar("reads_from_replica", default=False)
_away_until: dict[str, float] = {}


class ReplicaRouter:  # the signatures are Django's
    """Sends reads to the replica while they are marked, and all else to the first database."""

    def db_for_read(self, _model: type[Model], **_hints: Any) -> str:
        """Return the replica for a marked read, but within a transaction where that writes."""
        if _is_active.get() and not connections[DEFAULT_DB_ALIAS].in_atomic_block:
            return ALIAS
        return DEFAULT_DB_ALIAS

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        """Return the first database, also for a row that was read from the replica."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, _first: Model, _second: Model, **_hints: Any) -> bool:
        """Allow all: both have the same rows."""
        return True

    def allow_migrate(self, db: str, _app_label: str, **_hints: Any) -> bool:
        """Allow it on the first database alone; the replica follows."""
        return db == DEFAULT_DB_ALIAS


def reads_from_replica(function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function that only reads: the replica may answer it, the first database else.

    A page that it returns is rendered, since that reads, too. It is called again where the replica
    fails meanwhile. Of a view only GET and HEAD are marked, by the request among its arguments.
    """

    @wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        if not _is_safe(args) or _is_active.get() or not is_fit():
            return function(*args, **kwargs)
        try:
            with _active():
                return _render(function(*args, **kwargs))
        except Error as error:
            if getattr(error.__cause__, "pgcode", None) == STATEMENT_TIMEOUT:
                raise
            _give_up()
            return function(*args, **kwargs)

    return read


def stream_from_replica(rows: Iterator[T]) -> Iterator[T]:
    """Yield what is read bit by bit, all of it from the same database."""
    if not is_fit():
        yield from rows
        return
    while True:
        with _active():
            try:
                row = next(rows)
            except StopIteration:
                return
        yield row


def is_fit() -> bool:
    """Return whether there is a replica that has all that is committed now, or soon will."""
    if ALIAS not in connections.settings or time.monotonic() < _away_until.get(ALIAS, 0.0):
        return False
    try:
        committed = read_value(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_flush_lsn()::text")
        deadline = time.monotonic() + LONGEST_WAIT
        while not has_replayed(committed):
            if time.monotonic() > deadline:
                _away_until[ALIAS] = time.monotonic() + AWAY
                return False
            time.sleep(PAUSE)
        if is_of_another_history():
            _away_until[ALIAS] = time.monotonic() + AWAY
            return False
    except Error:
        _give_up()
        return False
    return True


def has_replayed(position: str) -> bool:
    """Return whether the replica has replayed the log up to a position; a primary has not."""
    replayed = "pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::pg_lsn"
    return bool(read_value(ALIAS, f"SELECT {replayed}", position))


def is_of_another_history() -> bool:
    """Return whether the replica has replayed more than the first database has written.

    One that follows never has. After a restore to a moment, or the promotion of a standby that
    lagged, it holds what was undone there, and cannot follow.
    """
    replayed = read_value(ALIAS, "SELECT pg_last_wal_replay_lsn()::text")
    query = "SELECT pg_current_wal_flush_lsn() < %s::pg_lsn"
    return bool(read_value(DEFAULT_DB_ALIAS, query, replayed))


def read_value(alias: str, query: str, *params: Any) -> Any:
    """Return the only value that a query finds in a database. Raises django.db.Error."""
    with connections[alias].cursor() as cursor:
        cursor.execute(query, params)
        (value,) = cursor.fetchone()
    return value


@contextmanager
def _active() -> Iterator[None]:
    token = _is_active.set(True)
    try:
        yield
    finally:
        _is_active.reset(token)


def _give_up() -> None:
    """Ask the replica nothing for a while, and forget a connection that may be broken."""
    _away_until[ALIAS] = time.monotonic() + AWAY
    with suppress(Error):
        connections[ALIAS].close()


def _is_safe(args: tuple[Any, ...]) -> bool:
    methods = [arg.method for arg in args[:2] if isinstance(getattr(arg, "method", None), str)]
    return all(method in {"GET", "HEAD"} for method in methods)


def _render(result: T) -> T:
    if isinstance(result, TemplateResponse) and not result.is_rendered:
        result.render()
    return result
