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

Value = str | bytes | int | float | None
Row = tuple[Value, ...]

BIGGEST = 50 * 1024 * 1024
MOST_ROWS = 200_000
MOST_CHARACTERS = BIGGEST
"""Of all rows together: a circle among the pages would go on for ever."""
_LONGEST = 16 * 1024 * 1024
_STEPS = 10_000
_MOST_STEPS = 2_000  # times so many steps of the library's machine, about a second
_MOST_TABLES = 200
_SIGNATURE = b"SQLite format 3\0"
_PLAIN = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_SETTINGS = ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "temp_store=MEMORY")


@dataclass(slots=True)
class Broken(Exception):
    """Reading ends here; the trouble says why."""

    trouble: FileError


def broken(code: str, message: str) -> Broken:
    """Give what ends the reading of a file."""
    return Broken(FileError(1, "", code, message))


@dataclass(slots=True)
class Database:
    """Tables of plain rows, each with the one question that is asked of it."""

    tables: frozenset[str]
    _link: sqlite3.Connection = field(repr=False)
    _asked: Mapping[str, str] = field(repr=False)
    _read: int = 0  # characters, of all rows so far

    def rows(self, table: str) -> Iterator[Row]:
        """Give what is asked of a table; one that is not there has no rows."""
        if table not in self.tables:
            return
        for place, row in enumerate(_run(self._link, self._asked[table])):
            self._read += sum(len(one) for one in row if isinstance(one, str | bytes))
            if place >= MOST_ROWS or self._read > MOST_CHARACTERS:
                raise broken("too_big", "the collection holds more than is read here")
            yield row

    def close(self) -> None:
        """Let go of it."""
        self._link.close()


def opened(data: bytes, asked: Mapping[str, str]) -> Database:
    """Open a database to ask this of its tables (a selection by each one's name); else Broken."""
    if not data.startswith(_SIGNATURE) or len(data) > BIGGEST:
        raise broken("collection_damaged", "the collection in the package is no database")
    link = sqlite3.connect(":memory:")
    try:
        _harden(link)
        # A copy that was not closed says that a log lies beside it: there is none in memory.
        with _damage():
            link.deserialize(data[:18] + b"\1\1" + data[20:])
        tables = _tables(link)
        for table in tables & asked.keys():
            _refuse_computed(link, table)
        link.set_authorizer(_allowed)
    except Broken:
        link.close()
        raise
    return Database(frozenset(tables), link, asked)


def _harden(link: sqlite3.Connection) -> None:
    for limit, most in _LIMITS.items():
        link.setlimit(limit, most)
    for setting in _SETTINGS:
        list(_run(link, f"PRAGMA {setting}"))
    link.text_factory = lambda said: said.decode("utf-8", errors="replace")
    _bound(link)


def _bound(link: sqlite3.Connection) -> None:
    """Count what the library's machine does, and stop it where it does too much."""
    done = count(1)
    link.set_progress_handler(lambda: next(done) > _MOST_STEPS, _STEPS)


def _tables(link: sqlite3.Connection) -> set[str]:
    """Give the names of the tables; a schema that holds anything but tables is refused."""
    names = set[str]()
    rows = _run(link, "SELECT type, name, sql FROM sqlite_master")
    for place, (kind, name, said) in enumerate(rows):
        if place > _MOST_TABLES or not str(said or _PLAIN[0]).upper().startswith(_PLAIN):
            raise broken("collection_unsafe", "the collection holds more than tables of notes")
        if kind == "table":
            names.add(str(name))
    return names


def _refuse_computed(link: sqlite3.Connection, table: str) -> None:
    hidden = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden"
    if any(_run(link, hidden, table)):
        raise broken("collection_unsafe", "the collection holds computed columns")


def _allowed(action: int, _table: str | None, _column: str | None, *rest: str | None) -> int:
    """Allow plain selection from tables, and nothing else, whoever asks."""
    within = rest[-1] if rest else None
    plain = action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ} and within is None
    return sqlite3.SQLITE_OK if plain else sqlite3.SQLITE_DENY


def _run(link: sqlite3.Connection, asked: str, *values: str) -> Iterator[Row]:
    with _damage():
        rows = link.execute(asked, values)
        while row := rows.fetchone():
            yield row


@contextmanager
def _damage() -> Iterator[None]:
    """Take whatever the library says of a stranger's bytes for what it is."""
    try:
        yield
    except (sqlite3.Error, OverflowError, MemoryError):
        words = "the collection in the package is damaged"
        raise broken("collection_damaged", words) from None
