"""How much room is left on the disks that this process writes to."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from config import health
from config.doctor.findings import DeploymentFinding

SCARCE: Final = 500_000_000
"""Bytes below which a disk is nearly full: far more than what `/readyz` needs."""


def find_disks() -> Iterator[DeploymentFinding]:
    """Yield the disks of this process that are nearly full."""
    for name, folder in health.list_disks().items():
        yield from find_full_disk(name, folder)


def find_full_disk(name: str, folder: Path) -> Iterator[DeploymentFinding]:
    """Yield a finding if little is free on the disk of a folder."""
    free = shutil.disk_usage(folder).free
    if free < SCARCE:
        yield DeploymentFinding(
            f"disk_scarce.{name.replace(' ', '_')}",
            f"The disk of {folder} ({name}) has {free / 1_000_000:.0f} MB left.",
            f"Below {health.LEAST_ROOM / 1_000_000:.0f} MB the site counts as not ready, and soon"
            " after it saves no answer.",
            "Make room, or give the disk more; `manage.py sweep_media` drops unused files.",
        )
