"""Killing whole families of processes at once, without a chance to say goodbye (Linux's /proc)."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
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
    for pid in victims:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    # Popen copes with a child that somebody else has waited for.
    with suppress(ChildProcessError):
        os.waitpid(root, 0)
    assert wait_until(lambda: not _living(victims), seconds=20), "they live on after SIGKILL"


def _living(pids: list[int]) -> bool:
    return any(pid in pids and state not in DEAD for pid, state, _, _ in _everybody())
