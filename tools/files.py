"""Notes that the tools leave for the next time: written whole, or not at all."""

import json
import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_note(path: Path, note: dict[str, str]) -> None:
    """Write a note so that it is never there in part, whatever ends this process or the machine."""
    draft = NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False)  # noqa: SIM115  renamed below
    try:
        with draft:
            draft.write(json.dumps(note, indent=1).encode())
            draft.flush()
            os.fsync(draft.fileno())
        Path(draft.name).replace(path)
    except OSError:
        Path(draft.name).unlink(missing_ok=True)
        raise


def read_note(path: Path) -> dict[str, str]:
    """Return a note; empty if there is none, or what is there is not one."""
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    valid = isinstance(note, dict) and all(isinstance(value, str) for value in note.values())
    return note if valid else {}
