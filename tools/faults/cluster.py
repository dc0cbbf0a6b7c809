"""A PostgreSQL that can be frozen, killed and started again, flushing as in production."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg2

from tools.faults.disk import limit_file_size
from tools.faults.slaying import family, frozen, slay
from tools.postgres import NAME, PORT, Server
from tools.processes import Child, running, unprivileged, wait_until

CARELESS = ("synchronous_commit=off", "wal_writer_delay=10000")
"""Acknowledges commits that are not written yet, for up to ten seconds and more."""


RECOVERY = 300
"""Seconds that a server may take for what it replays when it starts; mostly it is less than one."""


class Cluster:
    """A throwaway server, taken over; all but `start` and `kill` need it running."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        """Take over; `stack` ends what is started here, and must close before the server's."""
        self.socket, self._stack, self._pid = server.socket, stack, server.pid
        words = Path(f"/proc/{server.pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        place = words.index("fsync=off")
        self._command = words[: place - 1] + words[place + 1 :]
        self._numbers = count()

    @property
    def command(self) -> list[str]:
        """Return the words that start it: its binary, `-D` and its data, `-k` and its socket."""
        return list(self._command)

    def url(self, name: str) -> str:
        """Return the OCHENTA_DATABASE_URL of one of its databases."""
        return f"postgresql://{NAME}@/{name}?host={self.socket}&port={PORT}"

    def kill(self) -> None:
        """Kill the server and every process of it at once."""
        slay(self._pid)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop every process of the server during the block; connections stay as they are."""
        with frozen(self._pid):
            yield

    @contextmanager
    def on_full_disk(self) -> Iterator[None]:
        """Let no file of the server grow during the block; then make room and start it again.

        Its log is a file, too: a server that cannot write it ends itself, and cannot recover before
        there is room.
        """
        limit_file_size(family(self._pid), unprivileged())
        try:
            yield
        finally:
            self.kill()
            self.start()

    def start(self, *settings: str) -> None:
        """Start, recovering from the log what was committed."""
        command = [*self._command, *(word for setting in settings for word in ("-c", setting))]
        child = self._stack.enter_context(
            running(
                command,
                log=self.socket / "again.log",
                stop=signal.SIGINT,  # fast: a smart shutdown waits for clients
                drop=True,
                cwd=self.socket,
            )
        )
        self._pid = child.pid
        assert wait_until(self._answers, seconds=RECOVERY, child=child), self._log(child)

    def _log(self, child: Child) -> str:
        log = (self.socket / "again.log").read_text(errors="replace")
        return f"PostgreSQL ({child.poll()}): {log[-1000:]}"

    def _answers(self) -> bool:
        with suppress(psycopg2.OperationalError), closing(self._connect()):
            return True
        return False

    def execute(self, statement: str) -> None:
        """Execute a statement as the owner of the server, outside a transaction."""
        with closing(self._connect()) as connection, connection.cursor() as cursor:
            connection.autocommit = True
            cursor.execute(statement)

    def read(self, query: str) -> str:
        """Return the only value that a query finds, as text."""
        with closing(self._connect()) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            (value,) = cursor.fetchone()
        return str(value)

    def _connect(self) -> Any:
        return psycopg2.connect(dbname="postgres", user=NAME, host=str(self.socket), port=PORT)

    def copy(self, template: str = NAME) -> str:
        """Make a database from a template; give its OCHENTA_DATABASE_URL."""
        name = f"copy{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)
