"""Gunicorn's worker with threads, whose health checks wait behind no request (ADR 17).

When all threads are busy, whether with slow pages or with a database that does not answer, the
two probes are served all the same, each by a thread of its own.
"""

import re
import socket
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from selectors import EVENT_READ

from gunicorn.http import wsgi
from gunicorn.workers.gthread import TConn, ThreadWorker

PROBE = re.compile(rb"(?:GET|HEAD) (/healthz|/readyz)[ ?]")
LENGTH = 32
"""Bytes that are enough to know a probe by."""


class ResponseWithoutServerHeader(wsgi.Response):
    """An answer that does not say what serves the site: there is no `Server` header."""

    def default_headers(self) -> list[str]:
        """Return the headers that every answer begins with."""
        headers: list[str] = super().default_headers()
        return [header for header in headers if not header.startswith("Server:")]


class Worker(ThreadWorker):
    """Looks at the first bytes of a request before a thread is chosen for it."""

    def init_process(self) -> None:
        """Make the threads of the probes; gunicorn's own method then runs until the end."""
        self._probe_pools: dict[bytes, Executor] = {
            path: ThreadPoolExecutor(1, thread_name_prefix="probe")
            for path in (b"/healthz", b"/readyz")
        }
        wsgi.Response = ResponseWithoutServerHeader
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread; one that has said nothing yet waits without a thread."""
        start = self._first_bytes(conn)
        if start is None and self.alive and not (conn.initialized or conn.data_ready):
            self._wait_for_data(conn)
            return
        probe = PROBE.match(start or b"")
        pool = self._probe_pools[probe[1]] if probe else self.tpool
        request = pool.submit(self.handle, conn)
        request.add_done_callback(
            lambda done: self.method_queue.defer(self.finish_request, conn, done)
        )

    @staticmethod
    def _first_bytes(conn: TConn) -> bytes | None:
        """Return what the socket has to read, which stays there; None if there is nothing yet."""
        try:
            start: bytes = conn.sock.recv(LENGTH, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except (OSError, ValueError):
            return b""  # the thread that handles it will meet the error
        return start

    def _wait_for_data(self, conn: TConn) -> None:
        conn.sock.settimeout(0)
        conn.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))
