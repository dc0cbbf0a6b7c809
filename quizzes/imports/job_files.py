"""The bytes of files that wait to be imported, what was laid out of them, and two marks.

Names are generated. An import runs in one transaction, so how far it is, and that somebody wants
it to stop, stand in files beside its own.
"""

import os
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings


def _path(uuid: UUID, ending: str) -> Path:
    folder = Path(settings.MEDIA_ROOT) / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{uuid}.{ending}"


def save_upload(uuid: UUID, data: bytes) -> None:
    """Keep a file: whole and on the disk before its name exists."""
    draft = _path(uuid, "part")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(_path(uuid, "file"))


def read_upload(uuid: UUID) -> bytes:
    """Give the bytes of a file; FileNotFoundError once it was dropped."""
    return _path(uuid, "file").read_bytes()


def path_of(uuid: UUID, ending: str) -> Path:
    """Give where something laid out of a file stands, or is to stand: its plan, or the index."""
    return _path(uuid, ending)


def save_picture(uuid: UUID, name: str, data: bytes) -> None:
    """Keep a picture that the file brought, under the name that it will have."""
    picture = picture_path(uuid, name)
    picture.parent.mkdir(exist_ok=True)
    picture.write_bytes(data)


def picture_path(uuid: UUID, name: str) -> Path:
    """Give where a picture of a file lies, whether or not there is one; its name is generated."""
    return _path(uuid, "pictures") / name


def upload_size(uuid: UUID) -> int:
    """Give the bytes that a file has; 0 once it was dropped."""
    try:
        return _path(uuid, "file").stat().st_size
    except FileNotFoundError:
        return 0


def delete(uuid: UUID) -> None:
    """Remove a file and all that stands beside it; one that is gone is gone."""
    for path in list(_path(uuid, "file").parent.glob(f"{uuid}.*")):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def is_deleted(uuid: UUID) -> bool:
    """Tell whether nothing of a file is left."""
    return not any(_path(uuid, "file").parent.glob(f"{uuid}.*"))


def stale_jobs(since: datetime) -> set[UUID]:
    """Give the files of which nothing was written since then."""
    last: dict[str, float] = {}
    for path in _path(UUID(int=0), "file").parent.iterdir():
        with suppress(FileNotFoundError):
            stem = path.name.partition(".")[0]
            last[stem] = max(last.get(stem, 0), path.stat().st_mtime)
    return {UUID(stem) for stem, at in last.items() if at < since.timestamp()}


def write_progress(uuid: UUID, done: int) -> None:
    """Say how many items are done."""
    _path(uuid, "done").write_text(str(done), encoding="ascii")


def read_progress(uuid: UUID) -> int:
    """Give how many items are done; 0 where nobody said."""
    try:
        return int(_path(uuid, "done").read_text(encoding="ascii") or 0)
    except (FileNotFoundError, ValueError):
        return 0


def request_cancel(uuid: UUID) -> None:
    """Ask a running import to stop."""
    _path(uuid, "stop").touch()


def is_cancelled(uuid: UUID) -> bool:
    """Tell whether somebody asked it to."""
    return _path(uuid, "stop").exists()
