"""The site with a clock that can be stepped while it runs.

`clock_step` in the data folder holds the seconds by which the clock that Django reads is wrong.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.core.wsgi import get_wsgi_application
from django.utils import timezone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
NAME = "clock_step"


def step_clock(folder: Path, seconds: int) -> None:
    """Step the clock of the sites that have this data folder."""
    (folder / NAME).write_text(str(seconds))


def read_step(folder: Path) -> timedelta:
    """Return by how much the clock is stepped; nothing without a file, or while it is written."""
    path = folder / NAME
    text = path.read_text() if path.exists() else ""
    return timedelta(seconds=int(text or "0"))


if os.environ.get("OCHENTA_DATA_DIR"):
    _folder = Path(os.environ["OCHENTA_DATA_DIR"])
    timezone.now = lambda: datetime.now(UTC) + read_step(_folder)
    application = get_wsgi_application()
