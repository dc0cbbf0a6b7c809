"""Connections to PostgreSQL that never wait for ever (ADR 17).

A stopped server still acknowledges every packet, so no time-out of TCP or of the server sees it.
Here psycopg2 waits in our own function, which notices silence and asks for a sign of life.
"""

import select
import time
from contextlib import closing
from typing import Any

import psycopg2
from psycopg2 import extensions
from psycopg2.extensions import POLL_OK, POLL_READ, POLL_WRITE

from config.breaker import PING_AFTER, Breaker

LONGEST_CONNECT = 5.0
"""Seconds that connecting may take, whatever else the server answers meanwhile."""
LONGEST_STATEMENT = 15 * 60.0
"""Seconds after which a silent connection is given up although the server answers others."""
EVENTS = {POLL_READ: select.POLLIN, POLL_WRITE: select.POLLOUT}


class Connection(extensions.connection):
    """A connection whose every wait is bounded."""

    def __init__(self, dsn: str, *args: Any, **kwargs: Any) -> None:
        self.address, self.is_connected = dsn, False
        super().__init__(dsn, *args, **kwargs)
        self.is_connected = True

    @property
    def breaker(self) -> Breaker:
        """Return the breaker of its server."""
        return breaker

    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        """Return a cursor, unless it is known that the server answers nothing: nothing is sent."""
        _refuse_if_open(self.breaker)
        return super().cursor(*args, **kwargs)


class ReplicaConnection(Connection):
    """A connection to the replica, which may be frozen while the first server is not."""

    @property
    def breaker(self) -> Breaker:
        """Return the breaker of the replica."""
        return replica_breaker


def connect(dsn: str, *args: Any, **kwargs: Any) -> Connection:
    """Return a new connection; psycopg2's `connection_factory`."""
    _refuse_if_open(breaker)
    return Connection(dsn, *args, **kwargs)


def connect_replica(dsn: str, *args: Any, **kwargs: Any) -> ReplicaConnection:
    """Return a new connection to the replica; its `connection_factory`."""
    _refuse_if_open(replica_breaker)
    return ReplicaConnection(dsn, *args, **kwargs)


def wait(connection: extensions.connection) -> None:
    """Wait until the server has answered; raise OperationalError when it never will.

    psycopg2's wait callback: an error in it closes the connection.
    """
    if not isinstance(connection, Connection):
        _finish(connection, None)
        return
    _refuse_if_open(connection.breaker)
    began = heard = time.monotonic()
    while (state := connection.poll()) != POLL_OK:
        if _is_ready(connection, state, heard + PING_AFTER):
            heard = time.monotonic()
        else:
            heard = _ask_whether_alive(connection, began, heard)
    connection.breaker.last_answer = time.monotonic()


def _ask_whether_alive(connection: Connection, began: float, heard: float) -> float:
    """Return when the server was last heard; raises OperationalError if it is frozen."""
    now = time.monotonic()
    longest = LONGEST_STATEMENT if connection.is_connected else LONGEST_CONNECT
    if now - began > longest:
        raise psycopg2.OperationalError("the server did not answer on this connection")
    if not connection.breaker.check(connection.address, now - PING_AFTER):
        raise psycopg2.OperationalError("the database does not answer")
    return max(heard, connection.breaker.last_answer)


def _is_ready(connection: extensions.connection, state: int, deadline: float | None) -> bool:
    """Return whether the connection can go on before the deadline."""
    # Made anew each time: while it connects, the connection may change its socket.
    poller = select.poll()
    poller.register(connection.fileno(), EVENTS[state])
    left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
    return bool(poller.poll(left))


def _finish(connection: extensions.connection, deadline: float | None) -> bool:
    """Return whether the connection was ready before the deadline."""
    while (state := connection.poll()) != POLL_OK:
        if not _is_ready(connection, state, deadline):
            return False
    return True


def ping(address: str, seconds: float) -> bool:
    """Return whether a database answers a query on a new connection; a refusal is an answer."""
    deadline = time.monotonic() + seconds
    try:
        # An asynchronous connection waits for nothing by itself, nor in the callback.
        with closing(psycopg2.connect(address, async_=True)) as connection:
            if not _finish(connection, deadline):
                return False
            cursor = connection.cursor()  # the connection itself keeps no hold of it
            cursor.execute("SELECT 1")
            return _finish(connection, deadline)
    except psycopg2.Error as error:
        # The server's own words, such as that it has too many clients or is starting up.
        return "FATAL" in str(error)


def _refuse_if_open(circuit: Breaker) -> None:
    if circuit.is_open:
        raise psycopg2.OperationalError("the database does not answer, as was found a moment ago")


breaker, replica_breaker = Breaker(ping), Breaker(ping)
extensions.set_wait_callback(wait)
