"""Starting other programs and stopping exactly those: every child ends with its parent's block."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypedDict

Child = subprocess.Popen[bytes]
# The path of a unix socket holds about a hundred characters, too few for some temporary folders.
SHORT = Path("/tmp")  # noqa: S108 (mkdtemp makes a private folder in it)


class Identity(TypedDict, total=False):
    """Popen's arguments for running as somebody else; empty for running as ourselves."""

    user: int
    group: int
    extra_groups: list[int]


def end_on_terminate() -> None:
    """Turn SIGTERM into an ordinary exit, so that open blocks stop their children."""

    def leave(_signal: int, _frame: FrameType | None) -> None:
        sys.exit(143)

    signal.signal(signal.SIGTERM, leave)


def unprivileged() -> Identity:
    """Return Popen's arguments to run as `nobody` when this process is root, else none."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def give(path: Path) -> None:
    """Make the unprivileged user, if there is one, the only owner of a file or folder."""
    path.chmod(0o700 if path.is_dir() else 0o600)
    owner = unprivileged()
    if owner:
        os.chown(path, owner["user"], owner["group"])


@contextmanager
def scratch(prefix: str) -> Iterator[Path]:
    """Yield a private temporary folder that the unprivileged user owns; deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=SHORT if SHORT.is_dir() else None))
    try:
        give(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(  # noqa: PLR0913 (all but the first have a name and a default)
    command: Sequence[str | Path],
    *,
    log: Path | None = None,
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
    stop: signal.Signals = signal.SIGTERM,
    patience: float = 10,
    drop: bool = False,
) -> Iterator[Child]:
    """Run a program during the block; then send it `stop`, and SIGKILL after `patience` seconds.

    With `log` both its streams go there. It has a session of its own, so that Ctrl-C reaches it
    through us, in order. With `drop` it runs as `nobody` when we are root.
    """
    output = log.open("ab") if log else None
    try:
        child = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            env=env,
            cwd=cwd,
            start_new_session=True,
            **(unprivileged() if drop else {}),
        )
    finally:
        if output:
            output.close()
    try:
        yield child
    finally:
        _end(child, stop, patience)


def _end(child: Child, stop: signal.Signals, patience: float) -> None:
    if child.poll() is None:
        child.send_signal(stop)
    try:
        child.wait(patience)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def wait_until(ready: Callable[[], bool], *, seconds: float, child: Child | None = None) -> bool:
    """Poll until `ready()`; False when time is over or the child has ended."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline or (child and child.poll() is not None):
            return False
        time.sleep(0.1)
    return True


def free_port() -> int:
    """Return a TCP port of the loopback interface that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def listening(port: int, host: str = "127.0.0.1") -> bool:
    """Return whether somebody accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0
