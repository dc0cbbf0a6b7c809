"""Connections never wait for ever: tried on servers that take a call and say nothing."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
from django.db import connection
from psycopg2.extensions import parse_dsn

from config import postgresql
from config.breaker import Breaker

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


def test_a_replica_that_says_nothing_stops_no_other_connection(circuit, mute, monkeypatch):
    of_replica = Breaker(lambda _address, _seconds: False)
    monkeypatch.setattr(of_replica, "_close_when_it_answers", lambda _address: None)
    monkeypatch.setattr(postgresql, "replica_breaker", of_replica)
    for message in ("the database does not answer$", "a moment ago"):
        with pytest.raises(psycopg2.OperationalError, match=message):
            postgresql.connect_replica(mute)
    assert of_replica.is_open
    assert not circuit.is_open
