"""Killing and freezing whole families of processes at once (Linux's /proc)."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.processes import wait_until

DEAD = {"Z", "X"}


def _everybody() -> Iterator[tuple[int, str, int, int]]:
    """Give each process: its id, state, parent and group."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                yield int(entry.name), fields[0], int(fields[1]), int(fields[2])


def family(root: int) -> list[int]:
    """Give a process, its group and its children; those of PostgreSQL leave the group."""
    pids = [pid for pid, _, parent, group in _everybody() if root in {pid, parent, group}]
    return sorted(pids, key=lambda pid: pid != root)


def slay(root: int) -> None:
    """Send SIGKILL to the whole family, the root first, and see that they are dead."""
    victims = family(root)
    _send(signal.SIGKILL, victims)
    # Popen copes with a child that somebody else has waited for.
    with suppress(ChildProcessError):
        os.waitpid(root, 0)
    assert wait_until(lambda: not _living(victims), seconds=20), "they live on after SIGKILL"


@contextmanager
def frozen(root: int) -> Iterator[None]:
    """Stop the whole family during the block; connections stay as they are."""
    # The first of the family starts the others, so that none can come once it is stopped.
    os.kill(root, signal.SIGSTOP)
    stopped = family(root)
    try:
        _send(signal.SIGSTOP, stopped)
        yield
    finally:
        _send(signal.SIGCONT, stopped)


def _send(sign: signal.Signals, processes: list[int]) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, sign)


def _living(pids: list[int]) -> bool:
    return any(pid in pids and state not in DEAD for pid, state, _, _ in _everybody())
