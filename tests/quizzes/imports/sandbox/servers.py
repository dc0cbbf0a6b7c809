"""A server of readers of a test's own, which runs some code before it serves."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

import pytest

from quizzes.imports.sandbox import reader_server, reading_process
from quizzes.imports.sandbox.reader_server import ReaderServer

SERVE = (
    "import socket\n"
    "from quizzes.imports.sandbox.fork_server import ForkServer\n"
    "ForkServer(socket.socket(fileno=0)).serve()\n"
)


@contextmanager
def changed_server(code: str = "") -> Iterator[ReaderServer]:
    """Let files be read by a server that runs this code first; what it forks inherits that."""

    def start(stdin: int) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-E", "-s", "-c", code + SERVE]
        folder = reader_server.PROJECT
        return subprocess.Popen(words, stdin=stdin, stdout=subprocess.DEVNULL, cwd=folder, env={})

    server = ReaderServer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading_process, "_server", server)
        patch.setattr(reader_server, "_start_process", start)
        yield server
    server.stop()


@contextmanager
def all_turns_taken() -> Iterator[BoundedSemaphore]:
    """Let as many files be read as may be at a time; yield the turns, to give one back."""
    turns = BoundedSemaphore(1)
    turns.acquire()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading_process, "_turns", turns)
        patch.setattr(reading_process, "LONGEST_WAIT", 0.05)
        yield turns
