"""A disk that is full for some processes: no file of theirs can grow."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tools.processes import Identity

ROOM = 100 * 1024
"""Bytes that a file may have: less than SQLite's log grows to before it begins anew."""


def limit_file_size(processes: Iterable[int], owner: Identity | None = None) -> None:
    """Let no file of these processes grow beyond ROOM; all further writing fails.

    Not even root may limit the processes of others everywhere: `owner` does it.
    """
    _set_limit(processes, str(ROOM), owner or {})


def lift_limit(processes: Iterable[int]) -> None:
    """Make room again."""
    _set_limit(processes, "unlimited", {})


def _set_limit(processes: Iterable[int], size: str, owner: Identity) -> None:
    program = shutil.which("prlimit")
    assert program, "prlimit of util-linux is missing"
    for pid in processes:
        command = [program, f"--pid={pid}", f"--fsize={size}:"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, **owner)
        # Whoever met the limit first may have ended all others.
        assert done.returncode == 0 or not Path(f"/proc/{pid}").exists(), done.stderr
