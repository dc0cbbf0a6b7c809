"""A throwaway PgBouncer in transaction mode before a throwaway PostgreSQL, on a unix socket."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import postgres
from tools.processes import give, running, scratch, wait_until

PORT = 6432
SYSTEM = "/usr/sbin/pgbouncer"
SESSION_SETTINGS = (
    "SET lock_timeout=5000; SET idle_in_transaction_session_timeout=15000; "
    "SET statement_timeout=15000"
)
"""What the pooler of a site tells each session: docs/operations.md, "Behind a pooler"."""
# Every database of the server, under the name and role that the client gives. No parameter of the
# start of a session is ignored: a site that sends one is refused, as in production.
CONFIGURATION = """\
[databases]
* = host={host} port={host_port} connect_query='{settings}'
[pgbouncer]
pool_mode = transaction
unix_socket_dir = {folder}
listen_port = {port}
auth_type = trust
auth_file = {users}
default_pool_size = {sessions}
max_client_conn = 500
server_login_retry = 1
"""


class NoPoolerError(Exception):
    """There is no PgBouncer to start, or it did not start; the text says why."""


def find() -> str | None:
    """Return the path of pgbouncer, or None; Debian's folder is on the PATH of root alone."""
    return shutil.which("pgbouncer") or shutil.which(SYSTEM)


@contextmanager
def throwaway(
    server: postgres.Server,
    *,
    settings: str = SESSION_SETTINGS,
    roles: tuple[str, ...] = (postgres.NAME,),
    sessions: int = 50,
) -> Iterator[str]:
    """Run a pooler before the server during the block; yield its OCHENTA_DATABASE_URL.

    `settings` is the SQL that each session of the server begins with; at most `sessions` are
    opened for a database and role; the roles are those that may sign in, without a password.
    Raises NoPoolerError.
    """
    with scratch("och-pool-") as folder:
        command = write_configuration(
            folder, server.socket, settings=settings, roles=roles, sessions=sessions
        )
        log = folder / "log"
        with running(command, log=log, drop=True, cwd=folder) as child:
            if not wait_until(lambda: b"process up" in log.read_bytes(), seconds=20, child=child):
                raise NoPoolerError(f"it did not start: {log.read_text(errors='replace')[-400:]}")
            yield build_address(folder, roles[0])


def write_configuration(
    folder: Path, socket: Path, *, settings: str, roles: tuple[str, ...], sessions: int
) -> list[str | Path]:
    """Write its files into a folder, for a server on this socket; return the words that start it.

    A pooler that runs takes files that are written anew at SIGHUP. Raises NoPoolerError.
    """
    binary = find()
    if binary is None:
        raise NoPoolerError("no pgbouncer on PATH or in /usr/sbin")
    users, configuration = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text("".join(f'"{role}" ""\n' for role in roles), encoding="ascii")
    configuration.write_text(
        CONFIGURATION.format(
            host=socket,
            host_port=postgres.PORT,
            settings=settings,
            folder=folder,
            port=PORT,
            users=users,
            sessions=sessions,
        ),
        encoding="ascii",
    )
    for path in (users, configuration):
        give(path)
    return [binary, configuration]


def build_address(folder: Path, role: str) -> str:
    """Return the OCHENTA_DATABASE_URL of a site behind the pooler in this folder."""
    return f"postgresql://{role}@/{postgres.NAME}?host={folder}&port={PORT}&pool_mode=transaction"
