"""The database within a package, read without trust: plain tables alone, in memory, with bounds.

Whatever a stranger's database says of itself (views, triggers, virtual tables, computed columns,
pages that lead in circles), nothing of it is run, and reading it comes to an end.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from quizzes.formats.contract import FileError

SqlRow = tuple[str | bytes | int | float | None, ...]

BIGGEST = 50 * 1024 * 1024
MOST_ROWS = 200_000
MOST_CHARACTERS = BIGGEST
"""Of all rows together: a circle among the pages would go on for ever."""
_STEPS = 10_000
_MOST_STEPS = 2_000  # times so many steps of the library's machine, about a second
_MOST_TABLES = 200
_SIGNATURE = b"SQLite format 3\0"
_PLAIN = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16 * 1024 * 1024,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_SETTINGS = ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "temp_store=MEMORY")


class UnreadablePackage(Exception):
    """Reading ends here: the error says why."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.error = FileError(1, where, code, message)


@dataclass(slots=True)
class Database:
    """Tables of plain rows, each with the one query that reads it."""

    tables: frozenset[str]
    _connection: sqlite3.Connection = field(repr=False)
    _queries: Mapping[str, str] = field(repr=False)
    _characters: int = 0  # of all rows so far

    def rows(self, table: str) -> Iterator[SqlRow]:
        """Yield the rows of a table; one that is not there has none."""
        if table not in self.tables:
            return
        for place, row in enumerate(_run(self._connection, self._queries[table])):
            self._characters += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
            if place >= MOST_ROWS or self._characters > MOST_CHARACTERS:
                raise UnreadablePackage("too_big", "the collection holds more than is read here")
            yield row

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def open_database(data: bytes, queries: Mapping[str, str]) -> Database:
    """Open a database to run these queries (by table) alone; else UnreadablePackage."""
    if not data.startswith(_SIGNATURE) or len(data) > BIGGEST:
        message = "the collection in the package is no database"
        raise UnreadablePackage("collection_damaged", message)
    connection = sqlite3.connect(":memory:")
    try:
        _harden(connection)
        # A copy that was not closed says that a log lies beside it: there is none in memory.
        with _convert_errors():
            connection.deserialize(data[:18] + b"\1\1" + data[20:])
        tables = _list_tables(connection)
        for table in tables & queries.keys():
            _refuse_computed(connection, table)
        connection.set_authorizer(_authorize)
    except UnreadablePackage:
        connection.close()
        raise
    return Database(frozenset(tables), connection, queries)


def _harden(connection: sqlite3.Connection) -> None:
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    for setting in _SETTINGS:
        list(_run(connection, f"PRAGMA {setting}"))
    connection.text_factory = lambda text: text.decode("utf-8", errors="replace")
    steps = count(1)  # of the library's machine: it is stopped where it does too much
    connection.set_progress_handler(lambda: next(steps) > _MOST_STEPS, _STEPS)


def _list_tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables; a schema that holds anything but tables is refused."""
    names = set[str]()
    rows = _run(connection, "SELECT type, name, sql FROM sqlite_master")
    for place, (kind, name, sql) in enumerate(rows):
        if place > _MOST_TABLES or not str(sql or _PLAIN[0]).upper().startswith(_PLAIN):
            message = "the collection holds more than tables of notes"
            raise UnreadablePackage("collection_unsafe", message)
        if kind == "table":
            names.add(str(name))
    return names


def _refuse_computed(connection: sqlite3.Connection, table: str) -> None:
    hidden = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden"
    if any(_run(connection, hidden, table)):
        raise UnreadablePackage("collection_unsafe", "the collection holds computed columns")


def _authorize(action: int, _table: str | None, _column: str | None, *rest: str | None) -> int:
    """Allow plain selection from tables, and nothing else, whoever asks."""
    within = rest[-1] if rest else None
    is_plain = action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ} and within is None
    return sqlite3.SQLITE_OK if is_plain else sqlite3.SQLITE_DENY


def _run(connection: sqlite3.Connection, query: str, *parameters: str) -> Iterator[SqlRow]:
    with _convert_errors():
        rows = connection.execute(query, parameters)
        while row := rows.fetchone():
            yield row


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Refuse the package for whatever the library says of a stranger's bytes."""
    try:
        yield
    except (sqlite3.Error, OverflowError, MemoryError):
        message = "the collection in the package is damaged"
        raise UnreadablePackage("collection_damaged", message) from None
