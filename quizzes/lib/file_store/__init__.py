"""Where files lie that all machines of a site share: on a disk, or in a store that is asked."""

from pathlib import Path

from django.conf import settings

from quizzes.lib.file_store.contract import FileStore
from quizzes.lib.file_store.disk import DiskFileStore


def get_file_store() -> FileStore:
    """Return the store of this site."""
    return DiskFileStore(Path(settings.MEDIA_ROOT))
