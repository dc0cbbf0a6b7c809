"""Searches by a part of a text: an index where the database can have one, else none."""

import pytest
from django.apps import apps
from django.db import connection, connections
from django.db.models import Q

from accounts.models import User
from quizzes.lib import search_indexes
from quizzes.lib.advisory_lock import try_session_lock
from quizzes.publishing.models import Quiz
from tests.threads import at_once

SEARCHED = [(User, "email"), (User, "name"), (User, "school_id"), (Quiz, "slug")]
NAMES = [f"{model._meta.db_table}_{column}_part" for model, column in SEARCHED]


def migrate():
    for label in ("accounts", "publishing"):
        search_indexes.after_migrate(apps.get_app_config(label), using="default")


def list_indexes():
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE indexname = ANY(%s)", [NAMES])
        return sorted(name for (name,) in cursor.fetchall())


def explain(queryset):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
    return queryset.order_by().explain()


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize(("model", "column"), SEARCHED)
def test_a_search_by_a_part_uses_an_index(model, column):
    plan = explain(model.objects.filter(**{f"{column}__icontains": "Ópez"}))
    assert f"{model._meta.db_table}_{column}_part" in plan


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_search_of_several_columns_joins_their_indexes():
    plan = explain(User.objects.filter(Q(name__icontains="ana") | Q(email__icontains="ana")))
    assert "BitmapOr" in plan
    assert NAMES[0] in plan
    assert NAMES[1] in plan


@pytest.mark.postgres
@pytest.mark.django_db
def test_what_is_missing_or_was_broken_off_is_built_by_the_next_migrate():
    before = list_indexes()
    assert before == sorted(NAMES)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {NAMES[0]}")
        cursor.execute(
            "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = %s::regclass", [NAMES[1]]
        )
    migrate()
    migrate()
    assert list_indexes() == before
    with connection.cursor() as cursor:
        cursor.execute(search_indexes.IS_VALID, [NAMES[1]])
        assert cursor.fetchone() == (True,)


@pytest.fixture
def without_indexes(transactional_db):
    """A database without them, outside of any transaction as `migrate` is; they come again."""
    with connection.cursor() as cursor:
        for name in NAMES:
            cursor.execute(f"DROP INDEX IF EXISTS {name}")
    yield
    migrate()
    assert list_valid_indexes() == sorted(NAMES)


def list_valid_indexes():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
            " WHERE relname = ANY(%s) AND indisvalid",
            [NAMES],
        )
        return sorted(name for (name,) in cursor.fetchall())


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_build_that_fails_ends_no_migrate_and_the_next_one_builds_anew(
    users, without_indexes, caplog
):
    other = connections.create_connection("default")
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:  # who writes is waited for, at the end of a build
            cursor.execute("UPDATE accounts_user SET name = name")
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 300")
        migrate()
        assert "read every row until the next migrate" in caplog.text
        assert list_indexes() == sorted(NAMES)
        assert list_valid_indexes() == ["publishing_quiz_slug_part"]
    finally:
        other.rollback()
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")
    migrate()
    assert list_valid_indexes() == sorted(NAMES)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_several_migrates_at_once_build_each_index_once(without_indexes):
    outcomes = at_once([migrate] * 4)
    assert outcomes == [None] * 4
    assert list_valid_indexes() == sorted(NAMES)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_another_migrate_is_building_is_left_to_it(without_indexes, caplog):
    other = connections.create_connection("default")
    try:
        with try_session_lock(other, search_indexes.LOCK) as is_locked:
            assert is_locked
            migrate()
    finally:
        other.close()
    assert list_indexes() == []
    assert "left to another migrate" in caplog.text


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("extension", ["no_such_extension", "pg_trgm"])
def test_where_the_extension_cannot_be_there_is_no_index(extension, monkeypatch, caplog):
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
        cursor.execute("CREATE ROLE without_rights")
        cursor.execute("SET LOCAL ROLE without_rights")
    monkeypatch.setattr(search_indexes, "EXTENSION", extension)
    migrate()
    assert list_indexes() == []
    assert ("read every row" in caplog.text) == (extension == "pg_trgm")


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_build_may_take_longer_than_a_page(counted):
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {NAMES[0]}")
    with counted() as statements:
        migrate()
    (place,) = (number for number, text in enumerate(statements) if "CREATE INDEX" in text)
    assert "SET statement_timeout = 0" in statements[:place]
    assert "RESET statement_timeout" in statements[place:]


@pytest.mark.django_db
def test_on_sqlite_nothing_is_asked(counted):
    if connection.vendor == "sqlite":
        with counted() as statements:
            migrate()
        assert statements == []
