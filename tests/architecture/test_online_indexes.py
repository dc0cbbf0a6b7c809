"""Indexes of tables in use are built without locking out those who write."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from django.db import OperationalError, connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from quizzes.lib.online_index import AddIndexOnline
from tools.processes import wait_until

OWN = ("accounts", "quizzes")
FIRST = {"0001_initial"}
"""Makes the tables, which nobody uses yet."""
PLAIN_INDEX = re.compile(r"CREATE\s+(UNIQUE\s+)?INDEX(?!\s+CONCURRENTLY)", re.IGNORECASE)


def find_locking_operations(migration: migrations.Migration) -> Iterator[str]:
    """Yield what in a migration would build an index under a lock, or cannot run at all."""
    for operation in migration.operations:
        if isinstance(operation, AddIndexOnline):
            if migration.atomic:
                yield "AddIndexOnline needs atomic = False"
        elif isinstance(operation, migrations.AddIndex):
            yield f"AddIndex {operation.index.name}: use AddIndexOnline"
        elif isinstance(operation, migrations.AddField | migrations.AlterField):
            if getattr(operation.field, "db_index", False) or operation.field.unique:
                yield f"{operation.name}: its index is a step of its own, AddIndexOnline"
        elif isinstance(operation, migrations.RunSQL) and PLAIN_INDEX.search(str(operation.sql)):
            yield "RunSQL: CREATE INDEX without CONCURRENTLY"


def test_no_migration_after_the_first_locks_a_table_for_an_index():
    loader = MigrationLoader(None)
    later = [
        migration
        for (_, name), migration in loader.disk_migrations.items()
        if type(migration).__module__.startswith(OWN) and name not in FIRST
    ]
    assert later, "the triggers' migration at least"
    locking = {str(migration): list(find_locking_operations(migration)) for migration in later}
    assert {name: problems for name, problems in locking.items() if problems} == {}


def build_migration(operations: list[Any], *, atomic: bool) -> migrations.Migration:
    written = type("Migration", (migrations.Migration,), {"atomic": atomic})
    migration: migrations.Migration = written("0003_try", "publishing")
    vars(migration)["operations"] = operations
    return migration


INDEX = models.Index(fields=["slug"], name="try_index")


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("quiz", INDEX),
        migrations.AddField("quiz", "code", models.CharField(max_length=9, db_index=True)),
        migrations.AlterField("quiz", "code", models.CharField(max_length=9, unique=True)),
        migrations.RunSQL("create unique index try_index on quiz (slug)"),
        AddIndexOnline("quiz", INDEX),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_what_locks_is_caught(operation):
    assert len(list(find_locking_operations(build_migration([operation], atomic=True)))) == 1


def test_what_does_not_lock_is_no_problem():
    operations = [
        AddIndexOnline("quiz", INDEX),
        migrations.RunSQL("CREATE INDEX CONCURRENTLY try_index ON quiz (slug)"),
        migrations.AddField("quiz", "code", models.CharField(max_length=9)),
    ]
    assert list(find_locking_operations(build_migration(operations, atomic=False))) == []


@pytest.mark.django_db(transaction=True)
def test_an_index_is_added_and_removed_on_this_database():
    before = ProjectState.from_apps(MigrationLoader(connection).project_state().apps)
    after = before.clone()
    operation = AddIndexOnline("quiz", INDEX)
    operation.state_forwards("publishing", after)

    def has_index() -> bool:
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, "publishing_quiz")
        return "try_index" in constraints

    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("publishing", editor, before, after)
    assert has_index()
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("publishing", editor, after, before)
    assert not has_index()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("operation", "expected"),
    [(AddIndexOnline, "written"), (migrations.AddIndex, "locked out")],
)
def test_others_write_while_the_index_waits_for_a_transaction(a_quiz, operation, expected):
    """The build waits for whoever writes; a plain index makes all later writers wait behind it."""
    write = "UPDATE publishing_quiz SET updated_at = now() WHERE id = %s"
    with closing(connection.copy()) as slow, closing(connection.copy()) as later:
        slow.set_autocommit(False)
        with slow.cursor() as cursor:
            cursor.execute(write, [0])  # no row, but the table is in use
        with ThreadPoolExecutor() as pool:
            building = pool.submit(build_index, operation("quiz", INDEX))
            assert wait_until(is_index_waiting, seconds=20)
            with later.cursor() as cursor:
                cursor.execute("SET lock_timeout = '500ms'")
                try:
                    cursor.execute(write, [a_quiz.pk])
                    outcome = "written"
                except OperationalError:
                    outcome = "locked out"
            slow.rollback()
            building.result(timeout=20)
    assert outcome == expected


def build_index(operation: migrations.AddIndex) -> None:
    """Add it and remove it, on a connection of this thread."""
    before = ProjectState.from_apps(MigrationLoader(connection).project_state().apps)
    after = before.clone()
    operation.state_forwards("publishing", after)
    try:
        with connection.schema_editor(atomic=False) as editor:
            operation.database_forwards("publishing", editor, before, after)
        with connection.schema_editor(atomic=False) as editor:
            operation.database_backwards("publishing", editor, after, before)
    finally:
        connection.close()


def is_index_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%'"
            " AND wait_event_type = 'Lock' AND datname = current_database())"
        )
        return bool(cursor.fetchone()[0])
