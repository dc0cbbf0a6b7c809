"""The data folder of an embedded site: for the person whose site it is, and nobody else here."""

import os
from pathlib import Path

OTHERS = 0o077
"""What group and others may do."""


def restrict_new_files() -> None:
    """Let only this process's user read what it writes from now on."""
    os.umask(OTHERS)


def make_private(folder: Path) -> None:
    """Create a folder if it is missing, and let only its owner in; another's stays as it is."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid == os.getuid() and status.st_mode & OTHERS:
        folder.chmod(status.st_mode & ~OTHERS)
