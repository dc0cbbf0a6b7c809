"""The server that forks the processes which read: started when it is needed, and started anew."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

PROJECT: Final = Path(__file__).parents[3]
NO_SECRETS: Final[Mapping[str, str]] = {}
"""The environment of the process: nothing of the site's."""


def _start_process(stdin: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-E", "-s", "-m", "quizzes.imports.sandbox"],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        cwd=PROJECT,
        env=NO_SECRETS,
        start_new_session=True,
    )


@dataclass(slots=True)
class ReaderServer:
    """The fork server of this process; a process that was forked from it starts its own."""

    pid: int = 0
    process: subprocess.Popen[bytes] | None = None
    control: socket.socket | None = None
    lock: Lock = field(default_factory=Lock)

    def connect(self) -> tuple[socket.socket, socket.socket]:
        """Return the connection to a new process, and its status socket."""
        with self.lock:
            try:
                return self._request()
            except OSError:  # it was idle, and has ended
                self.stop()
                return self._request()

    def _request(self) -> tuple[socket.socket, socket.socket]:
        control = self.control
        if control is None or self.pid != os.getpid():
            control = self._start()
        connection, its_connection = socket.socketpair()
        status, its_status = socket.socketpair()
        with its_connection, its_status:
            descriptors = [its_connection.fileno(), its_status.fileno()]
            try:
                socket.send_fds(control, [b"r"], descriptors)
            except OSError:
                connection.close()
                status.close()
                raise
        return connection, status

    def _start(self) -> socket.socket:
        control, its_control = socket.socketpair()
        with its_control:
            self.process = _start_process(its_control.fileno())
        self.control, self.pid = control, os.getpid()
        return control

    def stop(self) -> None:
        """End the server, with what it forked."""
        if self.control is not None and self.pid == os.getpid():
            self.control.close()
            if self.process is not None:
                self.process.wait(10)
        self.control = self.process = None
