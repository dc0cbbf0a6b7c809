"""The files of copies that people asked for, by their names in the store."""

from typing import Final
from uuid import UUID

EXPORTS: Final = "exports/"
"""What their names begin with."""


def export_name(request: UUID) -> str:
    """Return the name of the file of a request, whether or not there is one."""
    return f"{EXPORTS}{request}.zip"
