"""What a store of files does, wherever it has them: media, the files of imports, copies of data.

A name is a path of plain letters, such as `imports/<id>.file`. A file is complete before its name
exists, so whoever opens a name reads all of it, whatever was killed meanwhile.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

from quizzes.lib.upload_handlers import incoming_folder


class FileStoreUnavailable(Exception):
    """The store does not answer, or refuses; its text is the code or the name of the error.

    Whether it did what was asked is not known; the same bytes can be saved once more.
    """


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as lists have it; `saved_at` in seconds since 1970."""

    name: str
    saved_at: float


@contextmanager
def create_draft() -> Iterator[BinaryIO]:
    """Yield an empty file on this machine that is gone after the block; a store takes its bytes."""
    with NamedTemporaryFile(dir=incoming_folder()) as draft:
        yield cast("BinaryIO", draft.file)


class FileStore(ABC):
    """Files by name. Opening or measuring what is not there: FileNotFoundError.

    Each may raise FileStoreUnavailable where the store is another machine.
    """

    @abstractmethod
    def save(self, name: str, draft: BinaryIO, *, is_durable: bool = True) -> None:
        """Give a name to the bytes of a draft; what had the name before is gone.

        Not durable: what a loss of power may take, since it can be made again.
        """

    def save_bytes(self, name: str, data: bytes, *, is_durable: bool = True) -> None:
        """Save bytes under a name, as `save` does."""
        with create_draft() as draft:
            draft.write(data)
            self.save(name, draft, is_durable=is_durable)

    @abstractmethod
    def add(self, name: str, draft: BinaryIO) -> None:
        """Give a draft the name that its bytes lead to, durably.

        What has the name already has the same bytes, and is as young as if it were new.
        """

    @abstractmethod
    def open(self, name: str) -> BinaryIO:
        """Return a file for reading from any place."""

    def read(self, name: str) -> bytes:
        """Return all bytes of a file."""
        with self.open(name) as file:
            return file.read()

    @abstractmethod
    def measure(self, name: str) -> int:
        """Return how many bytes a file has."""

    @abstractmethod
    def exists(self, name: str) -> bool:
        """Return whether there is a file of this name."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Delete a file; one that is gone is gone."""

    @abstractmethod
    def list_files(self, prefix: str = "") -> Iterator[StoredFile]:
        """Return the files whose names begin so, in the order of their names."""

    @abstractmethod
    def delete_stale(self, name: str, *, before: datetime, is_needed: Callable[[], bool]) -> bool:
        """Delete a file that nobody saved since then, unless it is needed; return whether it went.

        Nobody can add it while that is decided.
        """
