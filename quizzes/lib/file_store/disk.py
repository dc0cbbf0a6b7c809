"""A store of files in one folder, on a disk that all machines of the site share."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from quizzes.lib.file_store.contract import FileStore, StoredFile
from quizzes.lib.private_folder import make_private
from quizzes.lib.upload_handlers import incoming_folder


class DiskFileStore(FileStore):
    """Files by their names below a folder, for the site's user alone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def save(self, name: str, draft: BinaryIO, *, is_durable: bool = True) -> None:
        """Link the draft beside its place, and put the link there."""
        _flush(draft, is_durable=is_durable)
        place = self._prepare_place(name)
        link = incoming_folder() / f"{uuid4().hex}.link"
        os.link(draft.name, link)
        link.replace(place)
        if is_durable:
            _sync(place.parent)

    def add(self, name: str, draft: BinaryIO) -> None:
        """Link the draft under its name; where that exists, renew its time."""
        _flush(draft, is_durable=True)
        with self._exclusive_lock():
            place = self._prepare_place(name)
            if place.exists():
                os.utime(place)
            else:
                os.link(draft.name, place)
            for folder in (place.parent, self._root):
                _sync(folder)

    def open(self, name: str) -> BinaryIO:
        """Open it where it lies."""
        return self._path(name).open("rb")

    def measure(self, name: str) -> int:
        """Return its size on the disk."""
        return self._path(name).stat().st_size

    def exists(self, name: str) -> bool:
        """Look whether the path is there."""
        return self._path(name).exists()

    def delete(self, name: str) -> None:
        """Remove its name; who reads it reads on."""
        self._path(name).unlink(missing_ok=True)

    def list_files(self, prefix: str = "") -> Iterator[StoredFile]:
        """Look through the folder of the prefix."""
        folder, _, beginning = prefix.rpartition("/")
        for entry in sorted(self._path(folder).glob(f"{escape(beginning)}*")):
            if entry == self._root / "incoming":
                continue
            for path in sorted(entry.glob("*")) if entry.is_dir() else [entry]:
                with suppress(FileNotFoundError):  # deleted since it was listed
                    name = path.relative_to(self._root).as_posix()
                    if not path.name.startswith("."):
                        yield StoredFile(name, path.stat().st_mtime)

    def delete_stale(self, name: str, *, before: datetime, is_needed: Callable[[], bool]) -> bool:
        """Decide under the lock that adding takes."""
        place = self._path(name)
        with self._exclusive_lock():
            is_stale = place.exists() and place.stat().st_mtime < before.timestamp()
            if not is_stale or is_needed():
                return False
            place.unlink(missing_ok=True)
            return True

    def _path(self, name: str) -> Path:
        return self._root / name

    def _prepare_place(self, name: str) -> Path:
        place = self._path(name)
        make_private(place.parent)
        return place

    @contextmanager
    def _exclusive_lock(self) -> Iterator[None]:
        """Keep other processes from adding or dropping files for a moment."""
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _flush(draft: BinaryIO, *, is_durable: bool) -> None:
    draft.flush()
    if is_durable:
        os.fsync(draft.fileno())


def _sync(folder: Path) -> None:
    """Put the names in a folder on the disk, as fsync does with what is in a file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
