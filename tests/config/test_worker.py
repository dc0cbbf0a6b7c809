"""The worker looks before it chooses a thread: probes have their own, the silent get none."""

import socket
from collections import deque
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker

from config.worker import ResponseWithoutServerHeader, Worker

NO_THREAD = b""


class Pool(Executor):
    """Takes what is submitted, and does nothing."""

    def __init__(self) -> None:
        self.taken: list[Any] = []

    def submit(self, *words: Any, **_more: Any) -> "Future[Any]":
        self.taken.append(words[1])
        return Future()


class Poller:
    def __init__(self) -> None:
        self.watched: list[Any] = []

    def register(self, sock: Any, _events: int, _callback: Any) -> None:
        self.watched.append(sock)


@pytest.fixture
def worker():
    worker = Worker.__new__(Worker)
    worker.alive = True
    worker.tpool, worker.poller, worker.pending_conns = Pool(), Poller(), deque()
    worker.cfg = SimpleNamespace(keepalive=5)
    worker._probe_pools = {b"/healthz": Pool(), b"/readyz": Pool()}
    return worker


@pytest.fixture
def ask():
    """Give a way to make a connection on which somebody has said something."""
    with ExitStack() as stack:

        def connection(words: bytes, *, initialized: bool = False) -> SimpleNamespace:
            client, server = map(stack.enter_context, socket.socketpair())
            client.sendall(words)
            return SimpleNamespace(sock=server, initialized=initialized, data_ready=False)

        yield connection


@pytest.mark.parametrize(
    ("words", "pool"),
    [
        (b"GET /healthz HTTP/1.1\r\n", b"/healthz"),
        (b"HEAD /healthz HTTP/1.1\r\n", b"/healthz"),
        (b"GET /readyz?verbose HTTP/1.1\r\n", b"/readyz"),
        (b"GET / HTTP/1.1\r\n", None),
        (b"GET /healthzebra HTTP/1.1\r\n", None),
        (b"POST /healthz HTTP/1.1\r\n", None),
        (b"GET /api/v1/healthz HTTP/1.1\r\n", None),
        (b"\x16\x03\x01", None),
    ],
)
def test_only_the_probes_get_threads_of_their_own(worker, ask, words, pool):
    conn = ask(words)
    worker.enqueue_req(conn)
    pools = {None: worker.tpool, **worker._probe_pools}
    assert {path for path, other in pools.items() if other.taken == [conn]} == {pool}
    assert conn.sock.recv(100) == words


def test_who_says_nothing_gets_no_thread_until_there_is_something_to_read(worker, ask):
    conn = ask(NO_THREAD)
    worker.enqueue_req(conn)
    assert worker.tpool.taken == []
    assert worker.poller.watched == [conn.sock]
    assert list(worker.pending_conns) == [conn]


def test_a_request_that_was_read_ahead_on_a_kept_connection_is_not_forgotten(worker, ask):
    conn = ask(NO_THREAD, initialized=True)
    worker.enqueue_req(conn)
    assert worker.tpool.taken == [conn]


def test_a_worker_that_ends_makes_nobody_wait(worker, ask):
    worker.alive = False
    conn = ask(NO_THREAD)
    worker.enqueue_req(conn)
    assert worker.tpool.taken == [conn]


def test_a_broken_connection_is_left_to_the_thread_that_handles_it(worker, ask):
    conn = ask(b"GET / HTTP/1.1\r\n")
    conn.sock.close()
    worker.enqueue_req(conn)
    assert worker.tpool.taken == [conn]


def test_the_threads_of_the_probes_are_there_before_the_first_request(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "config.worker.ThreadWorker.init_process", lambda self: seen.append(self._probe_pools)
    )
    Worker.__new__(Worker).init_process()
    assert [set(pools) for pools in seen] == [{b"/healthz", b"/readyz"}]


def test_no_answer_says_what_serves_the_site(monkeypatch):
    monkeypatch.setattr(wsgi, "Response", wsgi.Response)
    monkeypatch.setattr(ThreadWorker, "init_process", lambda _worker: None)
    Worker.__new__(Worker).init_process()
    assert wsgi.Response is ResponseWithoutServerHeader
    request = SimpleNamespace(version=(1, 1), should_close=lambda: True)
    answer = wsgi.Response(request, None, None)
    answer.status = "200 OK"
    names = [header.split(":")[0] for header in answer.default_headers()]
    assert names == ["HTTP/1.1 200 OK\r\n", "Date", "Connection"]
