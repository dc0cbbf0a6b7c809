"""Runs a module as in a container whose file system is read-only but for its mounts.

`python -m tools.confined FOLDER... -- MODULE ARGUMENT...`: what opens, makes, renames or removes a
file elsewhere gets the error of a read-only file system, and the refusal is written to standard
error, where it is found also if the error is swallowed. An audit hook of Python does it, for this
process and those it forks; it needs no privilege, and root is held by it, too. Libraries in C that
write by themselves are not seen: it shows mistakes of set-up, it is no protection.
"""

import errno
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

REFUSED = "refused to write"
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Devices and what the kernel shows as files are there in a container, too.
ALWAYS = ("/dev", "/proc")
# Where the paths stand among an event's arguments, each with the folder that it is relative to.
CHANGES: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
}


def written(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    """Yield the real path of each file that an audited event would change."""
    if event == "open":
        path, _mode, flags = arguments
        if flags & WRITING and not isinstance(path, int):
            yield os.path.realpath(os.fsdecode(path))
    for place, folder in CHANGES.get(event, ()):
        # What is known by its descriptor was allowed when that was opened.
        if not isinstance(arguments[place], int):
            yield _named(arguments[place], arguments[folder] if folder is not None else -1)


def _named(name: str | bytes, folder: int) -> str:
    """Return the path of a name, which is what is made or removed even if it is a link."""
    around = Path(f"/proc/self/fd/{folder}").resolve() if folder != -1 else Path.cwd()
    path = around / os.fsdecode(name)
    return str(path.parent.resolve() / path.name)


def guard(folders: Sequence[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that refuses to change anything outside these folders."""
    roots = [os.path.realpath(folder) for folder in (*folders, *ALWAYS)]

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        for path in written(event, arguments):
            if not any(path == root or path.startswith(f"{root}{os.sep}") for root in roots):
                os.write(2, f"{REFUSED}: {path}\n".encode())
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    return audit


def main(arguments: list[str]) -> None:
    """Confine this process to the folders before `--`, then run the module after it."""
    end = arguments.index("--")
    folders, (module, *words) = arguments[:end], arguments[end + 1 :]
    missing = [folder for folder in folders if not Path(folder).is_dir()]
    if missing:
        sys.exit(f"These folders are not there: {', '.join(missing)}")
    sys.argv = [module, *words]
    sys.addaudithook(guard(folders))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
