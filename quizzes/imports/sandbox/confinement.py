"""What a process that reads a stranger's file is kept from: network, files, memory, time.

Linux has all of it, other systems some; `enter_confinement` returns what this one does not allow.
"""

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence

from quizzes.formats.parsing.reading_limits import READING_LIMITS

MEMORY = 1536 * 1024 * 1024
"""Bytes of address space."""
OPEN_FILES = 64
CPU_SECONDS = 2
"""Seconds of CPU for whatever is refused: of a file that nothing comes of, all there is."""
STEPS_PER_SECOND = 125
"""And a second more for as many items, or rows of sheets, as it was read."""
MOST_CPU_SECONDS = CPU_SECONDS + 2 * READING_LIMITS.items // STEPS_PER_SECOND
"""What the longest file may earn, each of whose items is a row, too."""
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_CAPABILITY_VERSION, _CAPABILITY_BYTES = 0x20080522, 24
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""System calls of Landlock: the same numbers on every architecture."""
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_RIGHTS = ((1, 1 << 13), (2, 1 << 14), (3, 1 << 15), (5, 1 << 16))
"""Version of Landlock → one more than all rights over files that it knows."""
_SCOPES_SINCE, _ALL_SCOPES = 6, 0b11
"""Abstract sockets and signals of others."""
_SET_SECCOMP, _FILTER = 22, 2
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000  # refused: EPERM
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_CALL, _ARCHITECTURE = 0, 4
"""Where a filter of system calls finds their number and their architecture."""
_STARTING_CALLS = {
    # clone, fork, vfork, execve, ptrace, execveat, clone3, and all calls of the x32 kind
    "x86_64": (0xC000003E, (56, 57, 58, 59, 101, 322, 435), 0x40000000),
    # ptrace, clone, execve, execveat, clone3
    "aarch64": (0xC00000B7, (117, 220, 221, 281, 435), 0x40000000),
}
"""Machine → its number, the calls that start processes, threads and programs, the highest call."""
_LIMITS = {
    # A second more: at its last one a process is told first, so that its end has a name.
    "cpu": (resource.RLIMIT_CPU, MOST_CPU_SECONDS + 1),
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


def close_files(readable: Iterable[str]) -> bool:
    """Return whether this process opens, runs, makes and removes no file from now on.

    It may read what is below the folders in `readable`, which Python needs to import modules. It
    must have no way to new privileges. Where the kernel knows how, it signals no other process.
    """
    if not sys.platform.startswith("linux"):
        return False
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    rights = max(beyond for since, beyond in _FILE_RIGHTS if since <= version) - 1
    attributes = struct.pack("=Q", rights)
    if version >= _SCOPES_SINCE:
        attributes = struct.pack("=QQQ", rights, 0, _ALL_SCOPES)
    rules = library.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for folder in readable:
            if not _allow_reading(library, rules, folder):
                return False
        return not library.syscall(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _allow_reading(library: ctypes.CDLL, rules: int, folder: str) -> bool:
    try:
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return True  # it is not there, so there is nothing to read
    rule = struct.pack("=Qi", _READ_FILE | _READ_FOLDER, descriptor)
    try:
        return not library.syscall(_ADD_RULE, rules, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)


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


def close_processes() -> bool:
    """Return whether this process starts no process, thread or program from now on.

    The kernel's limit of processes does not hold root; this filter of system calls does. It must
    have no way to new privileges.
    """
    calls = _STARTING_CALLS.get(platform.machine())
    if calls is None or not sys.platform.startswith("linux"):
        return False
    program = b"".join(_build_filter(*calls))
    instructions = ctypes.create_string_buffer(program, len(program))
    length = len(program) // struct.calcsize("=HBBI")
    header = struct.pack("@HP", length, ctypes.addressof(instructions))
    library = ctypes.CDLL(None, use_errno=True)
    return not library.prctl(_SET_SECCOMP, _FILTER, ctypes.c_char_p(header), 0, 0)


def _build_filter(architecture: int, refused: Sequence[int], highest: int) -> Iterator[bytes]:
    """Yield the instructions: code, how many to skip if true and if not, a number."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _CALL),
        (_JUMP_AT_LEAST, len(refused) + 1, 0, highest),
        *((_JUMP_EQUAL, len(refused) - place, 0, call) for place, call in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    yield from (struct.pack("=HBBI", *step) for step in steps)


def can_start_processes() -> bool:
    """Return whether this process can fork, by trying."""
    try:
        pid = os.fork()
    except OSError:
        return False
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def die_with_parent() -> None:
    """Have the kernel end this process with its parent, and give it no new privileges."""
    if sys.platform.startswith("linux"):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_DIE_WITH_PARENT, 9, 0, 0, 0)
        library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def drop_capabilities() -> bool:
    """Return whether this process has no more rights than those of its user: root may lift limits.

    As the kernel keeps them for each thread, there must be one only.
    """
    if not sys.platform.startswith("linux"):
        return False
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    return not ctypes.CDLL(None, use_errno=True).capset(header, bytes(_CAPABILITY_BYTES))


def limit_cpu(seconds: int) -> None:
    """Let the kernel end this process once it has used so many seconds of CPU in all.

    `limit_resources` has set how many that may be at most.
    """
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (_find_limit(resource.RLIMIT_CPU, seconds), hard))
