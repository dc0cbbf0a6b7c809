"""Where the bytes of uploaded files lie: in a folder of their own, named by what they hold.

The same bytes are kept once and never overwritten. A file is whole and on the disk before its
name exists, so whoever finds a name finds all of it, whatever was killed meanwhile.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Final

from django.conf import settings

from quizzes.lib.upload_handlers import incoming_folder

CHUNK: Final = 1024 * 1024


def root() -> Path:
    """Return the folder of all files."""
    return Path(settings.MEDIA_ROOT)


def build_path(digest: str) -> Path:
    """Return the place of the file with this digest, whether it is there or not."""
    return root() / digest[:2] / digest


def save_blob(source: BinaryIO) -> tuple[str, int]:
    """Keep all bytes of a file; return their digest (SHA-256) and how many they are."""
    with NamedTemporaryFile(dir=incoming_folder()) as copy:
        digest, size = sha256(), 0
        source.seek(0)
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            size += copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())
        _name(Path(copy.name), digest.hexdigest())
    return digest.hexdigest(), size


def _name(copy: Path, digest: str) -> None:
    """Link the copy under its digest; where that exists, renew its time."""
    place = build_path(digest)
    with exclusive_lock():
        place.parent.mkdir(exist_ok=True)
        if place.exists():
            os.utime(place)
        else:
            os.link(copy, place)
        for folder in (place.parent, root()):
            _sync(folder)


def _sync(folder: Path) -> None:
    """Put the names in a folder on the disk, as fsync does with what is in a file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def exclusive_lock() -> Iterator[None]:
    """Keep other processes from naming or dropping files for a moment."""
    root().mkdir(parents=True, exist_ok=True)
    with (root() / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find_stale_blobs(before: datetime) -> Iterator[str]:
    """Return the digests of files that nobody has saved since, and drop leftovers of uploads."""
    for path in sorted(root().glob("??/*")):
        if is_stale(path.name, before):
            yield path.name
    for path in incoming_folder().glob("*"):
        if path.stat().st_mtime < before.timestamp():
            path.unlink(missing_ok=True)


def is_stale(digest: str, before: datetime) -> bool:
    """Return whether the file is there and nobody has kept it since then."""
    place = build_path(digest)
    return place.exists() and place.stat().st_mtime < before.timestamp()


def delete_blob(digest: str) -> None:
    """Remove a file for good; the caller holds `exclusive_lock` and knows that no row names it."""
    build_path(digest).unlink(missing_ok=True)
