"""The files of copies that people asked for."""

from uuid import UUID


def export_name(request: UUID) -> str:
    """Return the name in the store of the file of a request, whether or not there is one."""
    return f"exports/{request}.zip"
