"""The files of imports: the upload, its plan and pictures, the progress, a request to cancel.

Names are generated. An import runs in one transaction, so its progress and the request to cancel
are files, too. What can be made again from the upload need not survive a loss of power.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import BinaryIO, Final
from uuid import UUID

from quizzes.imports.import_steps import NOT_BEGUN, ImportProgress, ImportStep
from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import FileStoreUnavailable, create_draft

_FOLDER: Final = "imports/"


def build_name(uuid: UUID, suffix: str) -> str:
    """Return the name in the store of a file of an import: of its plan, say."""
    return f"{_FOLDER}{uuid}.{suffix}"


def save_upload(uuid: UUID, data: bytes) -> None:
    """Save a file, durably."""
    get_file_store().save_bytes(build_name(uuid, "file"), data)


def read_upload(uuid: UUID) -> bytes:
    """Return the bytes of a file; FileNotFoundError once it was deleted."""
    return get_file_store().read(build_name(uuid, "file"))


def measure_upload(uuid: UUID) -> int:
    """Return how many bytes a file has; 0 once it was deleted."""
    try:
        return get_file_store().measure(build_name(uuid, "file"))
    except FileNotFoundError:
        return 0


def save_reading(uuid: UUID, frames: bytes) -> None:
    """Save what was read of a file: planning it again does not read it again."""
    _save(uuid, "reading", frames)


def load_reading(uuid: UUID) -> bytes:
    """Return what was read of a file; FileNotFoundError where that was not stored."""
    return get_file_store().read(build_name(uuid, "reading"))


def save_picture(uuid: UUID, name: str, data: bytes) -> None:
    """Save a picture of the file, under the name that it will have in the bank."""
    _save(uuid, f"picture.{name}", data)


def open_picture(uuid: UUID, name: str) -> BinaryIO:
    """Return a picture for reading; FileNotFoundError where there is none."""
    return get_file_store().open(build_name(uuid, f"picture.{name}"))


@contextmanager
def create_plan(uuid: UUID, suffix: str) -> Iterator[BinaryIO]:
    """Yield a file for the items of a plan, which is there after the block."""
    with create_draft() as draft:
        yield draft
        get_file_store().save(build_name(uuid, suffix), draft, is_durable=False)


def open_plan(uuid: UUID, suffix: str) -> BinaryIO:
    """Return the items of a plan for reading; FileNotFoundError where they are gone."""
    return get_file_store().open(build_name(uuid, suffix))


def save_index(uuid: UUID, data: bytes) -> None:
    """Save the index of a plan, which counts from then on."""
    _save(uuid, "index", data)


def load_index(uuid: UUID) -> bytes:
    """Return the index of the plan that counts; FileNotFoundError where there is none."""
    return get_file_store().read(build_name(uuid, "index"))


def _save(uuid: UUID, suffix: str, data: bytes) -> None:
    get_file_store().save_bytes(build_name(uuid, suffix), data, is_durable=False)


def delete(uuid: UUID) -> None:
    """Delete all files of an import; one that is gone is gone."""
    store = get_file_store()
    for file in list(store.list_files(build_name(uuid, ""))):
        store.delete(file.name)


def is_deleted(uuid: UUID) -> bool:
    """Return whether no file of an import is left."""
    return not any(get_file_store().list_files(build_name(uuid, "")))


def stale_jobs(since: datetime) -> set[UUID]:
    """Return the imports of which no file was written since then."""
    last: dict[str, float] = {}
    for file in get_file_store().list_files(_FOLDER):
        stem = file.name.removeprefix(_FOLDER).partition(".")[0]
        last[stem] = max(last.get(stem, 0), file.saved_at)
    return {UUID(stem) for stem, at in last.items() if at < since.timestamp()}


def write_progress(uuid: UUID, progress: ImportProgress) -> None:
    """Write how far an import is; where the store is away, it goes on without."""
    words = f"{progress.done} {progress.total} {progress.step}"
    with suppress(FileStoreUnavailable):
        _save(uuid, "done", words.encode("ascii"))


def read_progress(uuid: UUID) -> ImportProgress:
    """Return how far an import is; NOT_BEGUN where that was not written."""
    try:
        words = get_file_store().read(build_name(uuid, "done")).decode("ascii")
        done, total, step = words.split(" ")
        return ImportProgress(ImportStep(step) if step else "", int(done), int(total))
    except (FileNotFoundError, ValueError):
        return NOT_BEGUN


def request_cancel(uuid: UUID) -> None:
    """Ask a running import to stop."""
    _save(uuid, "stop", b"")


def clear_cancel(uuid: UUID) -> None:
    """Let it run again."""
    get_file_store().delete(build_name(uuid, "stop"))


def is_cancelled(uuid: UUID) -> bool:
    """Return whether somebody asked it to stop, and the store can tell."""
    try:
        return get_file_store().exists(build_name(uuid, "stop"))
    except FileStoreUnavailable:
        return False
