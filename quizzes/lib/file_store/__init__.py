"""Where files lie that all machines of a site share: on a disk, or in a bucket."""

import functools
from collections.abc import Hashable
from pathlib import Path
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from quizzes.lib.file_store.contract import FileStore
from quizzes.lib.file_store.disk import DiskFileStore

_S3_STORE = "quizzes.lib.file_store.s3.S3FileStore"
"""By its name: its libraries take a second and tens of megabytes in each process."""


def get_file_store() -> FileStore:
    """Return the store of this site; that of a bucket has its connections."""
    if settings.S3_STORE:
        return _connect(tuple(settings.S3_STORE.items()))
    return DiskFileStore(Path(settings.MEDIA_ROOT))


@functools.cache
def _connect(options: tuple[tuple[str, Hashable], ...]) -> FileStore:
    return cast("FileStore", import_string(_S3_STORE)(**dict(options)))
