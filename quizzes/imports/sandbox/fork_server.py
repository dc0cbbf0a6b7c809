"""A small server that has the readers in memory, and forks a process for each file.

To start Python and to import the readers takes half a second of CPU; to fork takes 3 ms. A
request is one message with two descriptors: the connection to the process that reads, and a
status socket. When the client closes the status socket, the process is killed.
"""

import contextlib
import gc
import json
import os
import selectors
import signal
import socket
import sys
from pathlib import Path

from quizzes.imports.sandbox import confinement
from quizzes.imports.sandbox.worker import answer_request
from quizzes.lib.process_priority import lower_priority

IDLE_SECONDS = 300.0
"""After so long without a request the server ends; the next one starts another."""
DESCRIPTORS = 2
_PROJECT = Path(__file__).parents[3]
READABLE = (
    *(str(_PROJECT / package) for package in ("grading", "quizzes")),
    *(folder for folder in sys.path if folder and Path(folder) != _PROJECT),
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"),
)
"""What a process may read: modules that a reader imports late, and libraries of the system.

Not the folder of the project, in which a site may keep its data and settings.
"""
_FIRST_OWN, _HIGHEST = 3, 1 << 16


class ForkServer:
    """Forks a process a request, tells how each ended, and kills those that are given up."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._children: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._is_open = True
        self._network_closed = False

    def serve(self) -> None:
        """Serve until the client closes its end, or asks for nothing for a while."""
        lower_priority()
        self._network_closed = confinement.close_network()  # for all that is forked
        os.chdir("/")
        gc.freeze()
        wake, wakener = os.pipe()
        os.set_blocking(wakener, False)
        signal.set_wakeup_fd(wakener)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(wake, selectors.EVENT_READ)
        self._selector.register(self._control, selectors.EVENT_READ)
        while self._is_open or self._children:
            events = self._selector.select(None if self._children else IDLE_SECONDS)
            if not events:
                self._refuse_further_requests()
            for key, _ in events:
                self._handle(key)
            self._reap()

    def _refuse_further_requests(self) -> None:
        """Have the client start another server; what it sent a moment before is still answered."""
        self._selector.unregister(self._control)
        self._control.shutdown(socket.SHUT_RD)
        while self._accept():
            pass
        self._is_open = False

    def _handle(self, key: selectors.SelectorKey) -> None:
        if key.fileobj is self._control:
            if not self._accept():
                self._end()
        elif key.data is None:
            os.read(key.fd, 4096)
        else:
            # The client sends nothing here: it has closed its end.
            self._selector.unregister(key.fileobj)
            _kill(key.data)

    def _end(self) -> None:
        """End with the client, and what was forked for it as well."""
        for pid in self._children:
            _kill(pid)
        self._children.clear()
        self._is_open = False

    def _accept(self) -> bool:
        """Fork a process for the next request; return False if the client sends no more."""
        message, descriptors, _, _ = socket.recv_fds(self._control, 1, DESCRIPTORS)
        if not message:
            return False
        connection, status = (socket.socket(fileno=number) for number in descriptors)
        pid = os.fork()
        if not pid:
            self._become_worker(connection)
        connection.close()
        self._children[pid] = status
        self._selector.register(status, selectors.EVENT_READ, pid)
        return True

    def _become_worker(self, connection: socket.socket) -> None:
        """Answer one request, and end."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setpgid(0, 0)  # a session of its own would have a priority of its own
            confinement.die_with_parent()
            own = connection.detach()
            os.dup2(own, 0)
            os.dup2(1, 2)  # where nobody reads: what a worker has to say it sends
            os.closerange(_FIRST_OWN, _HIGHEST)
            confinement.drop_capabilities()
            refused = confinement.limit_resources()
            if not confinement.close_files(READABLE):
                refused.append("file_access")
            confinement.close_processes()
            if not self._network_closed:
                refused.append("network")
            answer_request(socket.socket(fileno=0), refused)
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while self._children:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                self._tell(pid, os.waitstatus_to_exitcode(status))

    def _tell(self, pid: int, exit_code: int) -> None:
        """Tell the client how a process ended: its exit code, or the signal below zero."""
        status = self._children.pop(pid)
        with contextlib.suppress(KeyError):
            self._selector.unregister(status)
        with contextlib.suppress(OSError):
            status.sendall(json.dumps(exit_code).encode())
        status.close()


def _kill(pid: int) -> None:
    # Not reaped yet, so the id is still its own.
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)
