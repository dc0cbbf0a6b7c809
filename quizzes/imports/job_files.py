"""The files of imports: the upload, its plan and pictures, the progress, a request to cancel.

Names are generated. An import runs in one transaction, so its progress and the request to cancel
are files, too.
"""

import os
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings

from quizzes.imports.import_steps import NOT_BEGUN, ImportProgress, ImportStep


def job_path(uuid: UUID, suffix: str) -> Path:
    """Return the path of a file of an import: of its plan, say."""
    folder = Path(settings.MEDIA_ROOT) / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{uuid}.{suffix}"


def save_upload(uuid: UUID, data: bytes) -> None:
    """Save a file: all of it is on the disk before its name exists."""
    draft = job_path(uuid, "part")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(job_path(uuid, "file"))


def read_upload(uuid: UUID) -> bytes:
    """Return the bytes of a file; FileNotFoundError once it was deleted."""
    return job_path(uuid, "file").read_bytes()


def measure_upload(uuid: UUID) -> int:
    """Return how many bytes a file has; 0 once it was deleted."""
    try:
        return job_path(uuid, "file").stat().st_size
    except FileNotFoundError:
        return 0


def save_reading(uuid: UUID, frames: bytes) -> None:
    """Save what was read of a file: planning it again does not read it again."""
    draft = job_path(uuid, "reading-part")
    draft.write_bytes(frames)
    draft.replace(job_path(uuid, "reading"))


def load_reading(uuid: UUID) -> bytes:
    """Return what was read of a file; FileNotFoundError where that was not stored."""
    return job_path(uuid, "reading").read_bytes()


def save_picture(uuid: UUID, name: str, data: bytes) -> None:
    """Save a picture of the file, under the name that it will have in the bank."""
    picture = picture_path(uuid, name)
    picture.parent.mkdir(exist_ok=True)
    picture.write_bytes(data)


def picture_path(uuid: UUID, name: str) -> Path:
    """Return the path of a picture, whether or not there is one; its name is generated."""
    return job_path(uuid, "pictures") / name


def delete(uuid: UUID) -> None:
    """Delete all files of an import; one that is gone is gone."""
    for path in list(job_path(uuid, "file").parent.glob(f"{uuid}.*")):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def is_deleted(uuid: UUID) -> bool:
    """Return whether no file of an import is left."""
    return not any(job_path(uuid, "file").parent.glob(f"{uuid}.*"))


def stale_jobs(since: datetime) -> set[UUID]:
    """Return the imports of which no file was written since then."""
    last: dict[str, float] = {}
    for path in job_path(UUID(int=0), "file").parent.iterdir():
        with suppress(FileNotFoundError):
            stem = path.name.partition(".")[0]
            last[stem] = max(last.get(stem, 0), path.stat().st_mtime)
    return {UUID(stem) for stem, at in last.items() if at < since.timestamp()}


def write_progress(uuid: UUID, progress: ImportProgress) -> None:
    """Write how far an import is."""
    draft = job_path(uuid, "done-part")
    draft.write_text(f"{progress.done} {progress.total} {progress.step}", encoding="ascii")
    draft.replace(job_path(uuid, "done"))


def read_progress(uuid: UUID) -> ImportProgress:
    """Return how far an import is; NOT_BEGUN where that was not written."""
    try:
        done, total, step = job_path(uuid, "done").read_text(encoding="ascii").split(" ")
        return ImportProgress(ImportStep(step) if step else "", int(done), int(total))
    except (FileNotFoundError, ValueError):
        return NOT_BEGUN


def request_cancel(uuid: UUID) -> None:
    """Ask a running import to stop."""
    job_path(uuid, "stop").touch()


def clear_cancel(uuid: UUID) -> None:
    """Let it run again."""
    job_path(uuid, "stop").unlink(missing_ok=True)


def is_cancelled(uuid: UUID) -> bool:
    """Return whether somebody asked it to stop."""
    return job_path(uuid, "stop").exists()
