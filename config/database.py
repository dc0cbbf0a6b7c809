"""From one address to Django's database settings, with what each engine needs to be safe."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from config import postgresql
from config.env import SettingError
from quizzes.lib.database_roles import Role

NAME, REPLICA_NAME = "OCHENTA_DATABASE_URL", "OCHENTA_DATABASE_REPLICA_URL"
# A host that is gone is noticed by TCP, one that is frozen by config/postgresql.py.
TCP = {
    "connect_timeout": "3",
    "keepalives": "1",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "3",
    "tcp_user_timeout": "5000",
}
# What a pooler of transactions is told to set instead: docs/operations.md, "Behind a pooler".
SESSION_OPTIONS = (
    # READ COMMITTED is PostgreSQL's default, named because the locking rests on it.
    "-c default_transaction_isolation=read\\ committed"
    " -c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000"
)
EXPECTED = "sqlite:///path or postgresql://user:password@host:port/name"


def database(url: str, statement_seconds: int = 0, *, name: str = NAME) -> dict[str, Any]:
    """Read `sqlite:///<path>` or `postgresql://…` (`?host=` names a socket folder).

    PostgreSQL stops a statement after `statement_seconds`; 0 sets no limit. Behind a pooler of
    transactions (`?pool_mode=transaction`) nothing is asked of a connection, as the next
    transaction has another: the pooler sets what it needs.

    Raises SettingError, about the variable `name`, for any other scheme, a missing name of a
    database or another `pool_mode`.
    """
    parts = urlsplit(url)
    database_name = unquote(parts.path[1:])
    if not database_name or parts.scheme not in {"sqlite", "postgresql"}:
        # What was there is not repeated: it may hold a password.
        raise SettingError(name, EXPECTED, f"{parts.scheme}:…")
    if parts.scheme == "sqlite":
        return _sqlite(database_name)
    extra = dict(parse_qsl(parts.query))
    pool_mode = extra.pop("pool_mode", "")
    is_pooled = pool_mode == "transaction"
    if pool_mode and not is_pooled:
        raise SettingError(name, "…?pool_mode=transaction, or without it", f"…={pool_mode}")
    session = {"options": f"{SESSION_OPTIONS} -c statement_timeout={statement_seconds * 1000}"}
    return {
        "ENGINE": "config.postgresql_backend",
        "NAME": database_name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": extra.pop("host", parts.hostname or ""),
        "PORT": extra.pop("port", str(parts.port or "")),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": is_pooled,
        "OPTIONS": {
            **({} if is_pooled else session),
            "connection_factory": postgresql.connect,
            **TCP,
            **extra,
        },
    }


def replica(url: str, statement_seconds: int = 0) -> dict[str, Any]:
    """Read the address of a PostgreSQL that follows the first one, for reads alone.

    Raises SettingError as `database` does, and for SQLite, which has no replica.
    """
    if urlsplit(url).scheme != "postgresql":
        raise SettingError(REPLICA_NAME, "postgresql://user:password@host:port/name", "another")
    settings = database(url, statement_seconds, name=REPLICA_NAME)
    options = {**settings["OPTIONS"], "connection_factory": postgresql.connect_replica}
    # Each read begins with a question to it (quizzes/lib/read_replica.py), which is its check.
    # Tests have the rows of the first database in it.
    return {
        **settings,
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": False,
        "TEST": {"MIRROR": "default"},
    }


def application_role(url: str) -> Role:
    """Return the role of the application: whom the address of the site names.

    Raises SettingError for an address without one.
    """
    parts = urlsplit(url)
    if parts.scheme != "postgresql" or not parts.username:
        expected = "postgresql://user:… of the site, where the owner of the tables has its own"
        raise SettingError(NAME, expected, f"{parts.scheme}:…")
    return Role(unquote(parts.username), unquote(parts.password or ""))


def _sqlite(name: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A write transaction takes its lock at BEGIN: one that reads first and writes later
            # would otherwise fail at once, however long the timeout.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL, not NORMAL: in WAL mode NORMAL may lose the last commits when power fails,
            # and a save answered 2xx must not be lost.
            # Without the last, REPLACE would delete rows that no trigger may let go.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            " PRAGMA recursive_triggers=ON;",
        },
    }
