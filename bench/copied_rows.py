"""Copies rows of PostgreSQL with all that belongs to them: how a measurement fills a site.

The copies are for reading: triggers and foreign keys are off while they are written, and the codes
of their rows are those of the originals.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.backends.utils import CursorWrapper

from accounts.models import Group

COPIES_AT_ONCE = 50
"""Copies that one statement writes."""
Marks = Mapping[type[models.Model], int]


@dataclass(frozen=True)
class RowBlock:
    """Rows that belong together: of each model those above its first key, up to its last one."""

    bounds: Mapping[type[models.Model], tuple[int, int]]

    @property
    def stride(self) -> int:
        """How far the keys of a copy are from those of the copy before."""
        return 1 + max(last - first for first, last in self.bounds.values())


def mark(copied: Sequence[type[models.Model]]) -> Marks:
    """Return the highest primary key of each model."""
    highest = {model: model._base_manager.aggregate(pk=models.Max("pk"))["pk"] for model in copied}
    return {model: key or 0 for model, key in highest.items()}


def find_block(before: Marks) -> RowBlock:
    """Return what was written since those marks; ValueError where a model has nothing new."""
    now = mark(list(before))
    if idle := [model._meta.label for model in before if now[model] == before[model]]:
        raise ValueError(f"nothing to copy of {', '.join(idle)}")
    return RowBlock({model: (before[model], now[model]) for model in before})


def copy_block(block: RowBlock, numbers: range) -> None:
    """Write copies of the block; none of these numbers, from 1 on, may have been used before.

    References within the block, and an event's class, lead into the copy, all others to where those
    of the block do.
    UUIDs are new; unique texts and addresses get the number of the copy.
    """
    with connection.cursor() as cursor, _without_triggers(cursor):
        for start in range(numbers.start, numbers.stop, COPIES_AT_ONCE):
            stop = min(start + COPIES_AT_ONCE, numbers.stop)
            for model in block.bounds:
                _copy_rows(cursor, model, block, range(start, stop))
        for model in block.bounds:
            _advance_sequence(cursor, model)


@contextmanager
def _without_triggers(cursor: CursorWrapper) -> Iterator[None]:
    cursor.execute("SET session_replication_role = replica")
    try:
        yield
    finally:
        cursor.execute("SET session_replication_role = origin")


def _copy_rows(
    cursor: CursorWrapper, model: type[models.Model], block: RowBlock, numbers: range
) -> None:
    fields = model._meta.concrete_fields
    columns = ", ".join(_quote(field.column) for field in fields)
    values = ", ".join(_write_value(field, block) for field in fields)
    table, key = _quote(model._meta.db_table), _quote(model._meta.pk.column)
    first, last = block.bounds[model]
    cursor.execute(
        f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} CROSS JOIN"  # noqa: S608 (names of models)
        f" generate_series(%s, %s) AS copy WHERE {key} > %s AND {key} <= %s ORDER BY copy, {key}",
        [numbers.start, numbers.stop - 1, first, last],
    )


def _write_value(field: "models.Field[Any, Any]", block: RowBlock) -> str:
    """Return what stands in the column of a copy, in SQL."""
    column = _quote(field.column)
    moved = f"{column} + copy * {block.stride}"
    named = Group if field.name == "group_pk" else None
    if referenced := field.related_model if isinstance(field, models.ForeignKey) else named:
        first, last = block.bounds.get(referenced, (0, 0))
        return f"CASE WHEN {column} > {first} AND {column} <= {last} THEN {moved} ELSE {column} END"
    if field.name == "change_number":
        return "nextval('ochenta_change_number')"
    if isinstance(field, models.UUIDField):
        return f"CASE WHEN {column} IS NOT NULL THEN gen_random_uuid() END"
    if isinstance(field, models.EmailField):
        return f"replace({column}, '@', '-' || copy || '@')"
    if field.unique:
        return moved if field.primary_key else f"{column} || '-' || copy"
    return column


def _quote(name: str | None) -> str:
    return connection.ops.quote_name(name or "")


def _advance_sequence(cursor: CursorWrapper, model: type[models.Model]) -> None:
    """Let the next row that the site writes come after all copies."""
    key = model._meta.pk
    if not key.is_relation:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
            [model._meta.db_table, key.column, mark([model])[model]],
        )
