"""What tests with Django get: plain settings, empty caches, and tables that can be emptied."""

import logging
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase

from quizzes.bank import selectors as bank
from quizzes.formats.parsing import failures
from quizzes.imports import tasks as import_tasks
from quizzes.lib import clock, triggers
from quizzes.publishing import selectors as publishing


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Let a slow test keep its transaction, and have a folder for static files."""
    # A test is one transaction, and a busy machine may be idle in it for longer than a page may.
    for database in settings.DATABASES.values():
        # A pooler, which takes no options, was told so by tools/run_tests.py.
        if "options" in database["OPTIONS"]:
            database["OPTIONS"]["options"] += " -c idle_in_transaction_session_timeout=0"
    # Whitenoise would warn of a missing folder, even where it finds all files elsewhere.
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.fixture(autouse=True)
def _clock_read_before_the_test(request, monkeypatch) -> None:
    """Read the database's clock before each test that has one, and not again while it runs.

    A site reads it once a minute, in whatever request comes next: a query more than was counted.
    """
    monkeypatch.setattr(clock, "FRESH", math.inf)
    monkeypatch.setattr(clock, "SLOW", math.inf)
    has_database = request.node.get_closest_marker("django_db") is not None
    if has_database or "db" in request.fixturenames:
        request.getfixturevalue("db")
        clock.read_now()


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    """Serve static files by their own names, looked up when they are asked for.

    A test needs no manifest; and each new client would go through all files first.
    """
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # How many queries a request takes must not depend on how long ago the last one was.
    settings.SESSION_MEMORY_SECONDS = settings.ADVICE_MEMORY_SECONDS = 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Start with empty caches, so that query counts do not depend on the tests before."""
    yield
    for cache in (bank._public_versions, bank._keys_and_feedback, publishing._quiz_versions):
        cache.clear()


class _Records(logging.Handler):
    """Keeps the messages that are logged."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def _readers_do_not_fail(request) -> Iterator[None]:
    """Fail the test in which a reader of files failed: the site refuses the item and goes on."""
    records = _Records()
    failures.log.addHandler(records)
    yield
    failures.log.removeHandler(records)
    if not request.node.get_closest_marker("failing_readers"):
        assert records.messages == []


Case: Any = TransactionTestCase
_teardown = Case._fixture_teardown
TABLES_THAT_STAY = frozenset({"django_migrations", "django_content_type", "auth_permission"})
"""What Django's flush writes anew each time, the same as before."""


def _teardown_after_transactions(case: TransactionTestCase) -> None:
    """Empty the tables after a test with real transactions; the triggers would refuse.

    Django's flush empties each table, used or not, and makes permissions and triggers anew, which
    takes ten times as long as what is needed on PostgreSQL.
    """
    if connection.vendor == "postgresql" and _list_trigger_names() <= _read_trigger_names():
        _delete_rows()
    else:
        _flush_without_triggers(case)


def _flush_without_triggers(case: TransactionTestCase) -> None:
    """Let Django empty the tables: it truncates on PostgreSQL, deletes on SQLite.

    It ends with the signal that installs the triggers again.
    """
    emptying = {"TRUNCATE"} if connection.vendor == "postgresql" else {"UPDATE", "DELETE"}
    refusing = [trigger for trigger in triggers.list_triggers() if trigger.event in emptying]
    triggers.drop_triggers(connection, refusing)
    with connection.cursor() as cursor:
        # The table of the token model that ours replaces: nobody's, so the flush forgets it, and
        # then its foreign key keeps PostgreSQL from emptying the people.
        cursor.execute("DROP TABLE IF EXISTS knox_authtoken")
    _teardown(case)


def _delete_rows() -> None:
    """Delete the rows of the tables that have any, on PostgreSQL, past triggers and references."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    names = sorted(set(tables) - TABLES_THAT_STAY)
    quoted = {name: connection.ops.quote_name(name) for name in names}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{name}' WHERE EXISTS (SELECT FROM {quoted[name]})"  # noqa: S608  our models' own tables
                for name in names
            )
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quoted[name]}")  # noqa: S608  our models' own tables


@lru_cache
def _list_trigger_names() -> frozenset[str]:
    return frozenset(trigger.name for trigger in triggers.list_triggers())


def _read_trigger_names() -> set[str]:
    """Return the triggers that are there and enabled: a test may have dropped some."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'")
        return {name for (name,) in cursor.fetchall()}


Case._fixture_teardown = _teardown_after_transactions


@pytest.fixture(autouse=True)
def _import_tasks_inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the tasks of imports at once: another thread does not see a test's transaction."""
    monkeypatch.setattr(import_tasks, "start", lambda task, pk: task.run(pk))
