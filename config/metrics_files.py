"""The files in which the processes of one machine count, each in its own."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from config import env

FILE: Final = re.compile(r"_(\d+)\.db$")
"""How a file of counts ends: with the number of the process that writes to it."""


def find_metrics_folder() -> Path:
    """Return the folder of these files."""
    return Path(env.text("OCHENTA_METRICS_DIR", str(env.data_folder() / "metrics")))


def remove_stale_files(folder: Path) -> None:
    """Remove the counts of processes that have ended; those of a worker that runs stay."""
    for path in folder.glob("*.db"):
        match = FILE.search(path.name)
        if match and not Path("/proc", match[1]).exists():
            with suppress(FileNotFoundError):
                path.unlink()
