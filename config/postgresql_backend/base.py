"""A connection is asked whether it lives only where its server has sent something unasked.

Django sends `SELECT 1` before the first statement of each request. A server that ends, or that ends
a connection, closes its socket, and the socket says so without a question.

What another try may mend is an OperationalError here, and so a 503 (`config.error_handlers`).
"""

import select
from functools import cached_property
from types import TracebackType

from django.db import OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from psycopg2 import errors
from psycopg2.extensions import connection as Psycopg2Connection  # noqa: N812  it is a class

from quizzes.lib.connection_pooling import is_pooled

MENDED_BY_ANOTHER_TRY = (errors.IdleInTransactionSessionTimeout, errors.ReadOnlySqlTransaction)
"""What psycopg2 calls internal errors: this process was frozen for so long that the server ended
its transaction; the server is a standby now, or is one still."""


class ErrorWrapper(DatabaseErrorWrapper):
    """Django's own, but that these errors are operational."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise Django's error for one of psycopg2."""
        if isinstance(exc_value, MENDED_BY_ANOTHER_TRY):
            self.wrapper.errors_occurred = True  # type: ignore[attr-defined]  # not in its stubs
            raise OperationalError(*exc_value.args).with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with a check that sends nothing while nothing has come."""

    @cached_property
    def wrap_database_errors(self) -> ErrorWrapper:
        """Return what turns psycopg2's errors into Django's."""
        return ErrorWrapper(self)

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
