"""Reads that a replica may answer: which are marked, and what becomes of them when it fails."""

from types import SimpleNamespace

import psycopg2
import pytest
from django.db import OperationalError
from django.http import HttpRequest

from accounts.models import User
from quizzes.lib import read_replica
from quizzes.lib.read_replica import (
    ALIAS,
    ReplicaRouter,
    is_fit,
    reads_from_replica,
    stream_from_replica,
)

ROUTER = ReplicaRouter()
FIRST = SimpleNamespace(in_atomic_block=False)


def find_database() -> str:
    return ROUTER.db_for_read(User)


@pytest.fixture
def fit(monkeypatch):
    """A replica that has everything, as far as anybody asks."""
    monkeypatch.setattr(read_replica, "is_fit", lambda: True)
    monkeypatch.setattr(read_replica, "_give_up", lambda: None)
    monkeypatch.setattr(read_replica, "connections", {"default": FIRST})


def make_request(method: str) -> HttpRequest:
    request = HttpRequest()
    request.method = method
    return request


def test_without_a_replica_all_is_read_from_the_first_database():
    assert not is_fit()
    assert reads_from_replica(find_database)() == "default"
    assert list(stream_from_replica(find_database() for _ in range(2))) == ["default"] * 2


def test_what_is_marked_is_read_from_the_replica_and_nothing_after_it(fit):
    assert reads_from_replica(find_database)() == ALIAS
    assert reads_from_replica(reads_from_replica(find_database))() == ALIAS
    assert find_database() == "default"


def test_a_stream_is_read_from_it_whatever_happens_between_its_rows(fit):
    stream = stream_from_replica(find_database() for _ in range(2))
    assert next(stream) == ALIAS
    assert find_database() == "default"
    assert list(stream) == [ALIAS]


def test_a_transaction_reads_where_it_writes(fit, monkeypatch):
    monkeypatch.setattr(FIRST, "in_atomic_block", True)
    assert reads_from_replica(find_database)() == "default"


def test_rows_are_written_to_the_first_database_and_only_it_is_migrated(fit):
    assert reads_from_replica(lambda: ROUTER.db_for_write(User))() == "default"
    assert ROUTER.allow_relation(User(), User())
    assert ROUTER.allow_migrate("default", "accounts")
    assert not ROUTER.allow_migrate(ALIAS, "accounts")


@pytest.mark.parametrize(("method", "expected"), [("GET", ALIAS), ("POST", "default")])
def test_of_a_view_only_what_reads_is_marked(fit, method, expected):
    view = reads_from_replica(lambda _self, _request: find_database())
    assert view(SimpleNamespace(), make_request(method)) == expected


class RecoveryConflict(psycopg2.OperationalError):
    pgcode = "40001"


class StatementTimeout(psycopg2.OperationalError):
    pgcode = read_replica.STATEMENT_TIMEOUT


def fail_on_replica(cause: Exception) -> str:
    if find_database() == ALIAS:
        raise OperationalError("no") from cause
    return "default"


def test_where_the_replica_fails_it_is_read_again_from_the_first_database(fit):
    assert reads_from_replica(fail_on_replica)(RecoveryConflict()) == "default"


def test_what_takes_too_long_is_not_tried_twice(fit):
    with pytest.raises(OperationalError):
        reads_from_replica(fail_on_replica)(StatementTimeout())


@pytest.mark.parametrize("is_ahead", [False, True])
def test_a_replica_that_is_ahead_of_the_first_database_is_of_another_history(monkeypatch, is_ahead):
    answers = {
        "SELECT pg_current_wal_flush_lsn()::text": "0/5",
        "SELECT pg_last_wal_replay_lsn()::text": "0/9",
        "SELECT pg_current_wal_flush_lsn() < %s::pg_lsn": is_ahead,
    }
    monkeypatch.setattr(read_replica, "connections", SimpleNamespace(settings={ALIAS: {}}))
    monkeypatch.setattr(read_replica, "_away_until", {})
    monkeypatch.setattr(read_replica, "has_replayed", lambda _position: True)
    monkeypatch.setattr(read_replica, "read_value", lambda _alias, query, *_: answers[query])
    assert is_fit() is not is_ahead
    # It is left alone for a while.
    assert (ALIAS in read_replica._away_until) is is_ahead
