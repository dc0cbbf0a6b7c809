"""What a process that reads a stranger's file is kept from: network, files, memory, time.

Linux has all of it, other systems some; `enter_confinement` returns what this one does not allow.
"""

import ctypes
import os
import resource
import sys

MEMORY = 1536 * 1024 * 1024
"""Bytes of address space."""
OPEN_FILES = 64
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_LIMITS = {
    "memory": (resource.RLIMIT_AS, MEMORY),
    "open_files": (resource.RLIMIT_NOFILE, OPEN_FILES),
    "written_files": (resource.RLIMIT_FSIZE, 0),
    "core_dumps": (resource.RLIMIT_CORE, 0),
    "processes": (resource.RLIMIT_NPROC, 0),
}


def close_network() -> bool:
    """Return whether this process, and those that it forks, have no network from now on."""
    if not sys.platform.startswith("linux"):
        return False
    library = ctypes.CDLL(None, use_errno=True)
    return not library.unshare(_NEW_USER | _NEW_NETWORK) or not library.unshare(_NEW_NETWORK)


def limit_resources() -> list[str]:
    """Limit this process for good; return the names of the limits that the system refuses."""
    refused = []
    for name, (which, most) in _LIMITS.items():
        limit = _find_limit(which, most)
        try:
            resource.setrlimit(which, (limit, limit))
        except (ValueError, OSError):
            refused.append(name)
    return refused


def _find_limit(which: int, most: int) -> int:
    """Return the limit, or that of this process already where it is lower."""
    hard = resource.getrlimit(which)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def die_with_parent() -> None:
    """Have the kernel end this process with its parent, and give it no new privileges."""
    if sys.platform.startswith("linux"):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_DIE_WITH_PARENT, 9, 0, 0, 0)
        library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def limit_cpu(seconds: int) -> None:
    """Let the kernel end this process once it has used so many seconds of CPU in all."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (_find_limit(resource.RLIMIT_CPU, seconds), hard))


def lower_priority() -> None:
    """Let pages of learners come first."""
    os.nice(10)
