"""Sessions with their people, remembered by this process for some seconds (ADR 79).

Only for pages that read the session and write nothing into it, and only where somebody is signed
in. Whatever this process writes to a table that a session is read from, by whatever way, drops all
that is remembered here: before the statement, and again when its transaction is committed. What
other processes write is seen after `SESSION_MEMORY_SECONDS`.
"""

import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from accounts.models import Session

SIZE: Final = 5_000
"""Sessions that are remembered; the oldest goes first."""
READS: Final = ("SELECT", "EXECUTE", "(SELECT", "((SELECT")
"""How statements begin that write nothing here; what is prepared writes to no such table."""
TABLES: Final = re.compile(r"accounts_(?:session|user|membership|group)\b|mfa_authenticator\b")
LAST_SEEN: Final = 'UPDATE "accounts_session" SET "last_seen_at"'
"""When a session was last used: written by the page that has just read it."""


@dataclass(frozen=True, slots=True)
class RememberedSession:
    """A row with its person, which is never handed out itself, and the session's data as JSON."""

    row: Session
    payload: str
    until: float

    def copy_row(self) -> Session:
        """Return a copy of the row and its person, which the request may change."""
        row: Session = _copy_model(self.row)
        if row.user is not None:
            row.user = _copy_model(row.user)
        return row


class SessionMemory:
    """What is remembered, by session key; safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sessions: OrderedDict[str, RememberedSession] = OrderedDict()
        self.generation = 0
        """Grows whenever all is dropped: what was read before that is not remembered after it."""

    def find(self, key: str) -> RememberedSession | None:
        """Return a session that was read some seconds ago at most."""
        remembered = self._sessions.get(key)
        return remembered if remembered and remembered.until > time.monotonic() else None

    def remember(self, row: Session, data: dict[str, Any], generation: int) -> None:
        """Remember a row as it was just read, and what its data is; generation: before reading."""
        seconds = settings.SESSION_MEMORY_SECONDS
        if not seconds or row.user is None:
            return
        copied = RememberedSession(row, json.dumps(data), 0).copy_row()
        remembered = RememberedSession(copied, json.dumps(data), time.monotonic() + seconds)
        with self._lock:
            if generation == self.generation:
                self._sessions[row.session_key] = remembered
                self._sessions.move_to_end(row.session_key)
                if len(self._sessions) > SIZE:
                    self._sessions.popitem(last=False)

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            self.generation += 1
            self._sessions.clear()


memory = SessionMemory()


def forget_on_write(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Run a statement; one that writes to a table of sessions drops what is remembered."""
    if (
        isinstance(sql, str)
        and not sql.startswith(READS)
        and TABLES.search(sql)
        and not sql.startswith(LAST_SEEN)
    ):
        memory.clear()
        using = context["connection"].alias
        result = execute(sql, params, many, context)
        transaction.on_commit(memory.clear, using=using)
        return result
    return execute(sql, params, many, context)


def watch_connection(*, connection: BaseDatabaseWrapper, **_kwargs: Any) -> None:
    """Watch what a new connection writes."""
    if connection.alias == DEFAULT_DB_ALIAS and forget_on_write not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, forget_on_write)


def connect_signals() -> None:
    """Watch each connection that is made from now on."""
    connection_created.connect(watch_connection)


def _copy_model(row: Any) -> Any:
    """Return a copy of a row of the database, with the rows that were read with it."""
    copied = object.__new__(type(row))
    vars(copied).update(vars(row))
    state = copied._state = copy(row._state)
    if "fields_cache" in vars(row._state):
        state.fields_cache = dict(row._state.fields_cache)
    return copied
