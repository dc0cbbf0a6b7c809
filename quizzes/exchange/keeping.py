"""The bytes of files that wait to be imported, and two marks that transactions cannot hide.

Names are generated. An import runs in one transaction, so how far it is, and that somebody wants
it to stop, stand in files beside its own.
"""

import os
from pathlib import Path
from uuid import UUID

from django.conf import settings


def _path(uuid: UUID, ending: str) -> Path:
    folder = Path(settings.MEDIA_ROOT) / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{uuid}.{ending}"


def keep(uuid: UUID, data: bytes) -> None:
    """Keep a file: whole and on the disk before its name exists."""
    draft = _path(uuid, "part")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(_path(uuid, "file"))


def read(uuid: UUID) -> bytes:
    """Give the bytes of a file; FileNotFoundError once it was dropped."""
    return _path(uuid, "file").read_bytes()


def drop(uuid: UUID) -> None:
    """Remove a file and its marks; one that is gone is gone."""
    for ending in ("file", "part", "done", "stop"):
        _path(uuid, ending).unlink(missing_ok=True)


def tell(uuid: UUID, done: int) -> None:
    """Say how many items are done."""
    _path(uuid, "done").write_text(str(done), encoding="ascii")


def told(uuid: UUID) -> int:
    """Give how many items are done; 0 where nobody said."""
    try:
        return int(_path(uuid, "done").read_text(encoding="ascii") or 0)
    except (FileNotFoundError, ValueError):
        return 0


def stop(uuid: UUID) -> None:
    """Ask a running import to stop."""
    _path(uuid, "stop").touch()


def stopped(uuid: UUID) -> bool:
    """Tell whether somebody asked it to."""
    return _path(uuid, "stop").exists()
