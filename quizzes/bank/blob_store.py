"""The bytes of uploaded files, named by what they hold: the same bytes are stored once."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import BinaryIO, Final

from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import create_draft
from quizzes.lib.upload_handlers import incoming_folder

CHUNK: Final = 1024 * 1024
_NAME: Final = re.compile(r"[0-9a-f]{2}/([0-9a-f]{64})")


def build_name(digest: str) -> str:
    """Return the name that a file with this digest has in the store."""
    return f"{digest[:2]}/{digest}"


def save_blob(source: BinaryIO) -> tuple[str, int]:
    """Store all bytes of a file; return their digest (SHA-256) and how many they are."""
    with create_draft() as copy:
        digest, size = _read_through(source, copy.write)
        get_file_store().add(build_name(digest), copy)
    return digest, size


def measure_digest(source: BinaryIO) -> tuple[str, int]:
    """Return the digest of all bytes of a file and how many they are, without storing them."""
    return _read_through(source, len)


def _read_through(source: BinaryIO, use: Callable[[bytes], object]) -> tuple[str, int]:
    digest, size = sha256(), 0
    source.seek(0)
    while chunk := source.read(CHUNK):
        digest.update(chunk)
        use(chunk)
        size += len(chunk)
    return digest.hexdigest(), size


def open_blob(digest: str) -> BinaryIO:
    """Return a file for reading from any place; FileNotFoundError where it is gone."""
    return get_file_store().open(build_name(digest))


def read_blob(digest: str) -> bytes:
    """Return all bytes of a file; FileNotFoundError where it is gone."""
    return get_file_store().read(build_name(digest))


def has_blob(digest: str) -> bool:
    """Return whether the file is there."""
    return get_file_store().exists(build_name(digest))


def find_stale_blobs(before: datetime) -> Iterator[str]:
    """Return the digests of files that nobody has saved since, and drop leftovers of uploads."""
    for file in get_file_store().list_files():
        name = _NAME.fullmatch(file.name)
        if name is not None and file.saved_at < before.timestamp():
            yield name[1]
    for path in incoming_folder().glob("*"):
        if path.stat().st_mtime < before.timestamp():
            path.unlink(missing_ok=True)


def delete_stale_blob(digest: str, *, before: datetime, is_named: Callable[[], bool]) -> bool:
    """Delete a file that nobody saved since then and no row names; return whether it went."""
    return get_file_store().delete_stale(build_name(digest), before=before, is_needed=is_named)


def delete_blob(digest: str) -> None:
    """Delete a file for good, whoever names it."""
    get_file_store().delete(build_name(digest))
