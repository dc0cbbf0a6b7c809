"""The throwaway PgBouncer: a site behind it, and what one that is not told of it meets."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.utils import OperationalError

from config.database import database
from quizzes.lib.connection_pooling import is_pooled
from tools import pgbouncer, postgres
from tools.paths import ROOT

ROWS = "SELECT number FROM generate_series(1, 5) AS number"

installed = pytest.mark.skipif(pgbouncer.find() is None, reason="no pgbouncer on PATH")
pytestmark = pytest.mark.enable_socket


def test_no_pooler_is_said_in_words(monkeypatch):
    monkeypatch.setattr(pgbouncer, "find", lambda: None)
    server = postgres.Server(ROOT, "15", ROOT, 0)
    with (
        pytest.raises(pgbouncer.NoPoolerError, match="no pgbouncer"),
        pgbouncer.throwaway(server),
    ):
        pytest.fail("there is nothing to start")


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    with postgres.throwaway() as started:
        yield started


@pytest.fixture(scope="module")
def url(server) -> Iterator[str]:
    """The address of a pooler with two sessions: whose turn it is decides which one serves."""
    with pgbouncer.throwaway(server, sessions=2) as address:
        yield address


@pytest.fixture(autouse=True)
def _databases_of_their_own(django_db_blocker) -> Iterator[None]:
    """Let these tests connect: not to the tests' database, but to servers that they start."""
    with django_db_blocker.unblock():
        yield


@contextmanager
def connected(url: str, **settings) -> Iterator[DatabaseWrapper]:
    """Connect as a site would whose address this is."""
    defaults = {"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "TIME_ZONE": None}
    wrapper = DatabaseWrapper({**defaults, **database(url), **settings}, "behind the pooler")
    try:
        yield wrapper
    finally:
        wrapper.close()


def read(wrapper: DatabaseWrapper, query: str) -> object:
    with wrapper.cursor() as cursor:
        cursor.execute(query)
        (value,) = cursor.fetchone()
    return value


@installed
def test_each_session_has_the_settings_that_a_site_needs(url):
    with connected(url) as first, connected(url) as second:
        for wrapper in (first, second):
            assert read(wrapper, "SHOW lock_timeout") == "5s"
            assert read(wrapper, "SHOW idle_in_transaction_session_timeout") == "15s"
            assert read(wrapper, "SHOW statement_timeout") == "15s"
            assert read(wrapper, "SHOW transaction_isolation") == "read committed"


def test_the_settings_are_those_that_the_handbook_gives():
    handbook = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert f"connect_query='{pgbouncer.SESSION_SETTINGS}'" in handbook


@installed
def test_a_site_whose_address_does_not_say_it_is_refused(url):
    unaware = url.replace("&pool_mode=transaction", "")
    with (
        connected(unaware) as wrapper,
        pytest.raises(OperationalError, match="unsupported startup parameter: options"),
    ):
        wrapper.ensure_connection()


def read_export(wrapper: DatabaseWrapper, other: DatabaseWrapper) -> list[int]:
    """Read rows in chunks outside a transaction, while another client takes the free session."""
    # The cursor that Django takes for `iterator`.
    cursor_type = wrapper.cursor if is_pooled(wrapper) else wrapper.chunked_cursor
    with cursor_type() as cursor:
        cursor.execute(ROWS)
        numbers = [number for (number,) in cursor.fetchmany(2)]
        with connected_in_transaction(other):
            numbers += [number for (number,) in cursor.fetchmany(10)]
    return numbers


@contextmanager
def connected_in_transaction(wrapper: DatabaseWrapper) -> Iterator[None]:
    """Keep one session of the pooler during the block."""
    wrapper.set_autocommit(False)
    read(wrapper, "SELECT pg_backend_pid()")
    try:
        yield
    finally:
        wrapper.rollback()
        wrapper.set_autocommit(True)


@installed
def test_an_export_outside_a_transaction_comes_to_its_end(url):
    with connected(url) as wrapper, connected(url) as other:
        assert read_export(wrapper, other) == [1, 2, 3, 4, 5]


@installed
def test_with_a_cursor_of_the_server_it_would_not(url):
    with (
        connected(url, DISABLE_SERVER_SIDE_CURSORS=False) as wrapper,
        connected(url) as other,
        pytest.raises(OperationalError, match="does not exist"),
    ):
        read_export(wrapper, other)
