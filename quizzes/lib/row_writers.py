"""How many rows are written: at once, or made ready beforehand so that the transaction is short.

SQLite has one writer. While a transaction computes what it writes next, all others wait; so what is
large is computed first, into tables that only this connection sees, and copied in one go (ADR 15).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from django.db import connection, models, transaction

ModelRow = TypeVar("ModelRow", bound=models.Model)


def update_columns(model: type[ModelRow], rows: Sequence[ModelRow], columns: Sequence[str]) -> None:
    """Update these columns of rows that are there: on PostgreSQL in one statement for all.

    For many rows with several columns `bulk_update` takes several times as long to write its SQL.
    SQLite has no way to the server that another statement would cost.
    """
    if not rows:
        return
    fields = [_find_field(model, column) for column in columns]
    values = _list_values(rows, fields)
    if connection.vendor != "postgresql":
        _execute_many(_build_update(model, fields), values)
        return
    assigned = ", ".join(
        f'"{field.column}" = CAST(changed.column{number} AS {field.db_type(connection)})'
        for number, field in enumerate(fields, start=1)
    )
    marks = ", ".join([f"({', '.join(['%s'] * (1 + len(fields)))})"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(
            f'UPDATE "{model._meta.db_table}" SET {assigned}'  # noqa: S608  names of our models
            f" FROM (VALUES {marks}) AS changed WHERE id = changed.column{1 + len(fields)}",
            list(chain.from_iterable(values)),
        )


def _build_update(model: type[models.Model], fields: Sequence[Any]) -> str:
    """Return the statement that updates these fields of one row."""
    assigned = ", ".join(f'"{field.column}" = %s' for field in fields)
    return f'UPDATE "{model._meta.db_table}" SET {assigned} WHERE id = %s'  # noqa: S608  names of our models


def _list_values(rows: Sequence[models.Model], fields: Sequence[Any]) -> list[list[Any]]:
    """Return what the database stores of these fields, and the primary key, for each row."""
    return [
        [
            *(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields),
            row.pk,
        ]
        for row in rows
    ]


def insert_sharing(
    model: type[models.Model],
    own: Sequence[str],
    shared: Sequence[str],
    rows: Sequence[tuple[tuple[int, ...], tuple[Any, ...]]],
) -> None:
    """Insert rows, each whole numbers of its `own` and the values of the `shared` columns.

    On PostgreSQL values that many rows share are sent once, and the numbers as arrays. All are as
    the database stores them: JSON is text.
    """
    if not rows:
        return
    own_fields = [_find_field(model, column) for column in own]
    shared_fields = [_find_field(model, column) for column in shared]
    names = ", ".join(f'"{field.column}"' for field in (*own_fields, *shared_fields))
    if connection.vendor != "postgresql":
        marks = ", ".join(["%s"] * (len(own) + len(shared)))
        statement = f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({marks})'  # noqa: S608  names of our models
        _execute_many(statement, [[*numbers, *values] for numbers, values in rows])
        return
    places: dict[tuple[Any, ...], int] = {}
    positions = [places.setdefault(values, len(places)) for _, values in rows]
    arrays = ", ".join(
        [*(f"%s::{field.db_type(connection)}[]" for field in own_fields), "%s::int[]"]
    )
    marks = ", ".join([f"({', '.join(['%s'] * (1 + len(shared)))})"] * len(places))
    selected = [f"own.n{number}" for number in range(len(own))] + [
        f"CAST(shared.column{number} AS {field.db_type(connection)})"
        for number, field in enumerate(shared_fields, start=2)
    ]
    numbered = ", ".join(f"n{number}" for number in range(len(own)))
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{model._meta.db_table}" ({names}) SELECT {", ".join(selected)}'  # noqa: S608  names of our models
            f" FROM unnest({arrays}) AS own ({numbered}, place)"
            f" JOIN (VALUES {marks}) AS shared ON shared.column1 = own.place",
            [
                *(list(column) for column in zip(*(numbers for numbers, _ in rows), strict=True)),
                positions,
                *chain.from_iterable((place, *values) for values, place in places.items()),
            ],
        )


def _find_field(model: type[models.Model], column: str) -> Any:
    return model._meta.get_field(column)


class RowWriter:
    """Writes rows at once, in the transaction of its caller."""

    def insert(
        self, model: type[ModelRow], rows: Iterable[ModelRow], *, have_parts: bool = False
    ) -> list[ModelRow]:
        """Insert rows and return them; with `have_parts`, the ids by which others name them."""
        del have_parts  # the database gives ids to all of them
        return model._default_manager.bulk_create(rows)

    def update(
        self, model: type[ModelRow], rows: Sequence[ModelRow], columns: Sequence[str]
    ) -> None:
        """Update these columns of rows that are there."""
        model._default_manager.bulk_update(rows, columns)

    def call(self, write: Callable[[], None]) -> None:
        """Do what can only be written after the rows so far."""
        write()


DIRECT = RowWriter()


class StagedWriter(RowWriter):
    """Makes rows ready outside of any transaction, on SQLite; `write_staged` writes them all.

    Rows with parts get ids that nobody else is given. What is never written leaves nothing.
    """

    def __init__(self) -> None:
        self._fields: dict[type[models.Model], list[Any]] = {}
        self._after_inserts: list[Callable[[], None]] = []

    def insert(
        self, model: type[ModelRow], rows: Iterable[ModelRow], *, have_parts: bool = False
    ) -> list[ModelRow]:
        """Make rows ready to be inserted, and return them."""
        listed = list(rows)
        if have_parts:
            for row, pk in zip(listed, reserve_ids(model, len(listed)), strict=True):
                row.pk = pk
        if model not in self._fields:
            self._create_stage(model, have_parts=have_parts)
        fields = self._fields[model]
        marks = ", ".join(["%s"] * len(fields))
        values = [
            [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
            for row in listed
        ]
        with _own_tables_only(), connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {_name_stage(model)} VALUES ({marks})", values)  # noqa: S608  names of our models
        return listed

    def update(
        self, model: type[ModelRow], rows: Sequence[ModelRow], columns: Sequence[str]
    ) -> None:
        """Make an update ready."""
        fields = [_find_field(model, column) for column in columns]
        statement, values = _build_update(model, fields), _list_values(rows, fields)
        self._after_inserts.append(partial(_execute_many, statement, values))

    def call(self, write: Callable[[], None]) -> None:
        """Keep it until the rows are written."""
        self._after_inserts.append(write)

    def write_staged(self) -> None:
        """Write the rows, then the rest in the order in which it came, in the caller's transaction.

        The order counts: a version takes its files before it is its question's current one.
        """
        with connection.cursor() as cursor:
            for model, fields in self._fields.items():
                columns = ", ".join(f'"{field.column}"' for field in fields)
                cursor.execute(
                    f'INSERT INTO main."{model._meta.db_table}" ({columns})'  # noqa: S608  names of our models
                    f" SELECT {columns} FROM {_name_stage(model)} ORDER BY rowid"
                )
        for write in self._after_inserts:
            write()

    def _create_stage(self, model: type[models.Model], *, have_parts: bool) -> None:
        fields = [
            field for field in model._meta.concrete_fields if have_parts or not field.primary_key
        ]
        columns = ", ".join(f'"{field.column}"' for field in fields)
        stage = _name_stage(model)
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {stage}")
            cursor.execute(f"CREATE TEMP TABLE {stage.partition('.')[2]} ({columns})")
        self._fields[model] = fields


def _execute_many(statement: str, values: list[list[Any]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def may_stage() -> bool:
    """Return whether rows can be made ready while others write: on SQLite, in no transaction."""
    return connection.vendor == "sqlite" and not connection.in_atomic_block


def _name_stage(model: type[models.Model]) -> str:
    return f'temp."staged_{model._meta.db_table}"'


@contextmanager
def _own_tables_only() -> Iterator[None]:
    """Write into the connection's own tables: BEGIN IMMEDIATE would lock those of all."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("COMMIT")


@transaction.atomic
def reserve_ids(model: type[models.Model], count: int) -> Sequence[int]:
    """Return as many ids, ascending, that no other row will have."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                [table, count],
            )
            return sorted(pk for (pk,) in cursor.fetchall())
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        if not cursor.rowcount:
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count]
            )
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        (last,) = cursor.fetchone()
    return range(last - count + 1, last + 1)
