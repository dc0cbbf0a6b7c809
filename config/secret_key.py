"""The key of an embedded site: made once, kept in a file, whole or made anew."""

import fcntl
import os
import re
import secrets
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

MIN_LENGTH = 50
# What a crash or a full disk leaves is empty, cut short or full of zero bytes.
_COMPLETE_KEY = re.compile(rf"[!-~]{{{MIN_LENGTH},}}\s*")
_DAMAGED = (
    "The secret key in {path} was not whole and has been made anew:"
    " everybody is signed out, and links that were sent no longer work."
)


def load_or_create_key(path: Path) -> str:
    """Return the key in a file, created if missing. A damaged one is replaced, with a warning.

    Processes that start at the same time get the same key.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        key = _read(path)
        if key is None or not _COMPLETE_KEY.fullmatch(key):
            if key is not None:
                sys.stderr.write(_DAMAGED.format(path=path) + "\n")
            key = secrets.token_urlsafe(MIN_LENGTH)
            _write(path, key)
            os.fsync(folder)
        return key
    finally:
        os.close(folder)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="latin-1")
    except FileNotFoundError:
        return None


def _write(path: Path, key: str) -> None:
    """Write the key so that its file is never there in part; nobody else may read it."""
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as draft:
        draft.write(key.encode("ascii"))
        draft.flush()
        os.fsync(draft.fileno())
    Path(draft.name).replace(path)
