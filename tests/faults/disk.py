"""A disk that is full for some processes: no file of theirs can grow."""

import resource
from collections.abc import Iterable

ROOM = 100 * 1024
"""Bytes that a file may have: less than SQLite's log grows to before it begins anew."""


def limit_file_size(processes: Iterable[int], size: int = ROOM) -> None:
    """Let no file of these processes grow beyond so many bytes; all further writing fails."""
    for pid in processes:
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def lift_limit(processes: Iterable[int]) -> None:
    """Make room again."""
    limit_file_size(processes, resource.RLIM_INFINITY)
