"""Connections never wait for ever: tried on servers that take a call and say nothing."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
from django.db import OperationalError, connection, transaction
from psycopg2.extensions import parse_dsn

from config import postgresql
from config.breaker import Breaker
from config.postgresql_backend import base as engine
from config.postgresql_backend.base import DatabaseWrapper

SOON = 3.0


@pytest.fixture
def circuit(monkeypatch) -> Breaker:
    """A breaker of the test's own."""
    circuit = Breaker(lambda _address, _seconds: False)
    monkeypatch.setattr(postgresql, "breaker", circuit)
    return circuit


@pytest.fixture
def mute(tmp_path: Path) -> Iterator[str]:
    """The address of a server that takes every call and never says a word."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / ".s.PGSQL.5432"))
        server.listen(5)
        yield f"host={tmp_path} port=5432 user=nobody dbname=none"


@pytest.fixture
def address() -> str:
    """The address of the database of the tests."""
    connection.ensure_connection()
    server: postgresql.Connection = connection.connection
    return server.address


def test_connecting_to_a_mute_server_fails_soon_and_opens_the_breaker(circuit, mute, monkeypatch):
    monkeypatch.setattr(circuit, "_close_when_it_answers", lambda _address: None)
    began = time.monotonic()
    with pytest.raises(psycopg2.OperationalError, match="does not answer"):
        postgresql.connect(mute)
    assert time.monotonic() - began < SOON
    assert circuit.is_open


def test_connecting_is_given_up_although_others_are_answered(circuit, mute, monkeypatch):
    monkeypatch.setattr(circuit, "check", lambda _address, _since: True)
    monkeypatch.setattr(postgresql, "LONGEST_CONNECT", 0.0)
    with pytest.raises(psycopg2.OperationalError, match="on this connection"):
        postgresql.connect(mute)


def test_while_the_breaker_is_open_nothing_is_sent(circuit, mute):
    circuit.is_open = True
    with pytest.raises(psycopg2.OperationalError, match="a moment ago"):
        postgresql.connect(mute)


def test_a_mute_server_gives_no_sign_of_life(mute):
    assert not postgresql.ping(mute, 0.1)


def test_a_server_that_is_not_there_gives_no_sign_of_life(tmp_path):
    assert not postgresql.ping(f"host={tmp_path} port=5432 user=nobody dbname=none", SOON)


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_server_that_answers_gives_a_sign_of_life_and_so_does_its_refusal(address):
    assert postgresql.ping(address, 20)
    assert postgresql.ping(f"{address} dbname=nowhere", 20)


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_slow_statement_of_a_server_that_lives_is_waited_for(address, monkeypatch):
    monkeypatch.setattr(postgresql, "PING_AFTER", 0.05)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_sleep(0.3)")
        assert cursor.fetchall() == [(1,)]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_silent_connection_is_given_up_in_the_end_and_thrown_away(address, monkeypatch):
    monkeypatch.setattr(postgresql, "PING_AFTER", 0.05)
    monkeypatch.setattr(postgresql, "LONGEST_STATEMENT", 0.1)
    silent = postgresql.connect(address)
    with pytest.raises(psycopg2.OperationalError, match="on this connection"):
        silent.cursor().execute("SELECT 1 FROM pg_sleep(20)")
    assert silent.closed


@pytest.mark.postgres
@pytest.mark.django_db
def test_an_established_connection_sends_nothing_while_the_breaker_is_open(address, circuit):
    established = postgresql.connect(address)
    circuit.is_open = True
    with pytest.raises(psycopg2.OperationalError, match="a moment ago"):
        established.cursor()
    circuit.is_open = False
    with established.cursor() as cursor:
        cursor.execute("SELECT 1")
    circuit.is_open = True
    with pytest.raises(psycopg2.OperationalError, match="a moment ago"):
        established.commit()
    assert established.closed


@pytest.mark.postgres
@pytest.mark.django_db
def test_other_connections_of_the_process_wait_as_long_as_they_like(address, circuit):
    circuit.is_open = True
    # The arguments of ours, but not its class.
    other = psycopg2.connect(**parse_dsn(address))
    with other.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchall() == [(1,)]
    other.close()


@pytest.fixture
def of_a_request(address) -> Iterator[DatabaseWrapper]:
    """A connection of its own that a new request takes over from the one before."""
    wrapper = DatabaseWrapper({**connection.settings_dict, "CONN_HEALTH_CHECKS": True}, "default")
    wrapper.connect()
    wrapper.close_if_unusable_or_obsolete()
    yield wrapper
    wrapper.close()


def count_questions(wrapper: DatabaseWrapper, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what a connection is asked before the first statement of a request."""
    questions: list[str] = []
    make_cursor = wrapper.connection.cursor

    def note(*args, **kwargs):
        questions.append("SELECT 1")
        return make_cursor(*args, **kwargs)

    monkeypatch.setattr(wrapper.connection, "cursor", note)
    wrapper.close_if_health_check_failed()
    return questions


@pytest.mark.postgres
@pytest.mark.unpooled
@pytest.mark.django_db
def test_a_silent_connection_is_not_asked_whether_it_lives(of_a_request, monkeypatch):
    assert count_questions(of_a_request, monkeypatch) == []
    assert of_a_request.is_usable()


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("reason", ["error", "pooler", "notice"])
def test_a_connection_that_may_be_lost_is_asked(of_a_request, monkeypatch, reason):
    if reason == "error":
        of_a_request.errors_occurred = True
    elif reason == "pooler":
        monkeypatch.setitem(of_a_request.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", value=True)
    else:
        monkeypatch.setattr(engine, "_has_input", lambda _connection: True)
    assert count_questions(of_a_request, monkeypatch) == ["SELECT 1"]


@pytest.mark.postgres
@pytest.mark.unpooled
@pytest.mark.django_db
def test_a_connection_that_the_server_ended_is_replaced_before_the_first_statement(of_a_request):
    lost = of_a_request.connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [lost.info.backend_pid])
    with of_a_request.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchall() == [(1,)]
    assert of_a_request.connection is not lost


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_connection_that_is_closed_cannot_be_used(of_a_request):
    of_a_request.connection.close()
    assert not of_a_request.is_usable()
    of_a_request.close()
    assert not of_a_request.is_usable()


def test_a_replica_that_says_nothing_stops_no_other_connection(circuit, mute, monkeypatch):
    of_replica = Breaker(lambda _address, _seconds: False)
    monkeypatch.setattr(of_replica, "_close_when_it_answers", lambda _address: None)
    monkeypatch.setattr(postgresql, "replica_breaker", of_replica)
    for message in ("the database does not answer$", "a moment ago"):
        with pytest.raises(psycopg2.OperationalError, match=message):
            postgresql.connect_replica(mute)
    assert of_replica.is_open
    assert not circuit.is_open


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("setting", "statement"),
    [
        ("SET LOCAL idle_in_transaction_session_timeout = 20", "SELECT 1"),
        ("SET TRANSACTION READ ONLY", "CREATE TABLE never ()"),
    ],
    ids=["a transaction that waited for a frozen process", "a server that takes no writes"],
)
def test_what_another_try_may_mend_is_an_operational_error(setting, statement):
    def write():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(setting)
            time.sleep(0.2)
            cursor.execute(statement)

    with pytest.raises(OperationalError):
        write()
