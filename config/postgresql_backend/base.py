"""A connection is asked whether it lives only where its server has sent something unasked.

Django sends `SELECT 1` before the first statement of each request. A server that ends, or that ends
a connection, closes its socket, and the socket says so without a question.
"""

import select

from django.db.backends.postgresql import base
from psycopg2.extensions import connection as Psycopg2Connection  # noqa: N812  it is a class

from quizzes.lib.connection_pooling import is_pooled


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with a check that sends nothing while nothing has come."""

    def is_usable(self) -> bool:
        """Return whether the connection can be used.

        Behind a pooler its socket tells of the pooler, not of the server; and after an error
        nothing is sure. A frozen server is silent too, and is noticed by the statement (ADR 17).
        """
        if self.connection is None:
            return False
        if self.errors_occurred or is_pooled(self) or _has_input(self.connection):
            return bool(super().is_usable())
        return True


def _has_input(connection: Psycopg2Connection) -> bool:
    """Return whether the socket has something to read, which may be its end; closed counts, too."""
    if connection.closed:
        return True
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    return bool(poller.poll(0))
