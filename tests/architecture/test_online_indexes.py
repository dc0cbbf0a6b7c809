"""Indexes of tables in use are built without locking out those who write."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from quizzes.lib.online_index import AddIndexOnline

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
