"""A secret in a file of the data folder: made once, whole or made anew, for its owner alone."""

import fcntl
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile


def load_or_create(
    path: Path, *, is_complete: Callable[[str], bool], create: Callable[[], str], damaged: str
) -> str:
    """Return the secret in a file, created if missing.

    One that is not complete (a crash or a full disk leaves files empty, cut short or full of zero
    bytes) is replaced, and `damaged` is printed, with the path as {path}. Processes that start at
    the same time get the same secret.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        secret = _read(path)
        if secret is None or not is_complete(secret):
            if secret is not None:
                sys.stderr.write(damaged.format(path=path) + "\n")
            secret = create()
            write(path, secret)
            os.fsync(folder)
        return secret
    finally:
        os.close(folder)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="latin-1")
    except FileNotFoundError:
        return None


def write(path: Path, secret: str) -> None:
    """Write a secret so that its file is never there in part; nobody else may read it."""
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as draft:
        draft.write(secret.encode("ascii"))
        draft.flush()
        os.fsync(draft.fileno())
    Path(draft.name).replace(path)
