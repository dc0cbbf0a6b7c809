"""A store of files in a bucket, by the S3 protocol: machines of the site share no disk.

django-storages opens the connections, one a thread. A file is sent by one request, so that there
is all of it or nothing, and no parts of broken uploads are left; its MD5 goes with it.
"""

import io
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import md5
from http import HTTPStatus
from typing import Any, BinaryIO, Final, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection
from django.db import transaction
from storages.backends.s3 import S3Storage

from quizzes.lib import steady_clock
from quizzes.lib.advisory_lock import share_advisory_lock, try_advisory_lock
from quizzes.lib.file_store.contract import FileStore, FileStoreUnavailable, StoredFile

CONNECT_SECONDS: Final = 2
ANSWER_SECONDS: Final = 4
"""How long a request waits for the next bytes of an answer."""
ATTEMPTS: Final = 2
PAUSE: Final = 10.0
"""Seconds after which one thread of this process asks a store anew that did not answer.

All others fail at once: a thread that waits for files saves no answers.
"""
_READ_AHEAD: Final = 256 * 1024


class S3FileStore(FileStore):
    """Files by their names below a prefix in a bucket."""

    def __init__(self, *, addressing: str, **options: Any) -> None:
        """Take the options of `storages.backends.s3.S3Storage`; nothing is asked yet."""
        # Checksums of requests by other means than MD5 are unknown to many stores but Amazon's.
        config = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=ANSWER_SECONDS,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            signature_version="s3v4",
            s3={"addressing_style": addressing},
        )
        self.storage = S3Storage(client_config=config, default_acl=None, **options)
        self._prefix = f"{self.storage.location}/" if self.storage.location else ""
        self._away_until = 0.0

    @property
    def client(self) -> Any:
        """The client of this thread."""
        return self.storage.connection.meta.client

    def locate(self, name: str) -> dict[str, str]:
        """Return the bucket and the key of a file, as requests name them."""
        return {"Bucket": self.storage.bucket_name, "Key": self._prefix + name}

    def save(self, name: str, draft: BinaryIO, *, is_durable: bool = True) -> None:
        """Send the draft; the store answers when it is safe, whether it need be or not."""
        del is_durable
        draft.seek(0)
        digest = md5(usedforsecurity=False)
        while chunk := draft.read(_READ_AHEAD):
            digest.update(chunk)
        draft.seek(0)
        with self._asking(name):
            self.client.put_object(
                **self.locate(name), Body=draft, ContentMD5=b64encode(digest.digest()).decode()
            )

    def add(self, name: str, draft: BinaryIO) -> None:
        """Send the draft, which makes what is there young again.

        A sweep may have decided on the older one meanwhile: under the lock of the name, which
        lasts as long as a transaction in which the caller inserts the row, it is looked at again.
        """
        self.save(name, draft)
        with transaction.atomic():
            share_advisory_lock(_lock_name(name))
            if not self.exists(name):
                self.save(name, draft)

    def open(self, name: str) -> BinaryIO:
        """Return a file whose bytes are asked for as they are read."""
        return cast("BinaryIO", io.BufferedReader(_ObjectReader(self, name), _READ_AHEAD))

    def read(self, name: str) -> bytes:
        """Ask for all of it at once: what is replaced meanwhile is read as it was or as it is."""
        with self._asking(name):
            return bytes(self.client.get_object(**self.locate(name))["Body"].read())

    def measure(self, name: str) -> int:
        """Return the length that the store tells."""
        return int(self.describe(name)["ContentLength"])

    def describe(self, name: str) -> dict[str, Any]:
        """Return what the store tells of a file: `ContentLength`, `ETag`, `LastModified`."""
        with self._asking(name):
            return dict(self.client.head_object(**self.locate(name)))

    def request_range(self, name: str, start: int, etag: str) -> Any:
        """Return the body of a file from a byte on, to be read and closed; changed: unavailable."""
        with self._asking(name):
            place = self.locate(name)
            answer = self.client.get_object(**place, Range=f"bytes={start}-", IfMatch=etag)
            return answer["Body"]

    def read_part(self, name: str, body: Any, size: int) -> bytes:
        """Return up to `size` bytes of a body, and some unless it is over."""
        with self._asking(name):
            return bytes(body.read(size))

    def exists(self, name: str) -> bool:
        """Ask whether there is an object of this key."""
        try:
            self.describe(name)
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        """Delete the object; a bucket with versions keeps it as an old one."""
        with self._asking(name):
            self.client.delete_object(**self.locate(name))

    def list_files(self, prefix: str = "") -> Iterator[StoredFile]:
        """Ask for the list, a thousand at a time."""
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.storage.bucket_name, Prefix=self._prefix + prefix
        )
        with self._asking(prefix):
            for page in pages:
                for row in page.get("Contents", ()):
                    name = row["Key"].removeprefix(self._prefix)
                    yield StoredFile(name, row["LastModified"].timestamp())

    def delete_stale(self, name: str, *, before: datetime, is_needed: Callable[[], bool]) -> bool:
        """Decide under a lock in the database; where somebody adds it just now, it stays."""
        with transaction.atomic():
            if not try_advisory_lock(_lock_name(name)):
                return False
            try:
                is_stale = self.describe(name)["LastModified"] < before
            except FileNotFoundError:
                return False
            if not is_stale or is_needed():
                return False
            self.delete(name)
            return True

    @contextmanager
    def _asking(self, name: str) -> Iterator[None]:
        """Turn the errors of the store into ours; after one without an answer, pause."""
        if self._away_until:
            if steady_clock.seconds() < self._away_until:
                raise FileStoreUnavailable("NoAnswer")
            self._away_until = steady_clock.seconds() + PAUSE  # this thread asks
        try:
            yield
            self._away_until = 0.0
        except ClientError as error:
            self._away_until = 0.0
            code = str(error.response.get("Error", {}).get("Code", ""))
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
            if status == HTTPStatus.NOT_FOUND and code != "NoSuchBucket":
                raise FileNotFoundError(name) from error
            raise FileStoreUnavailable(code) from error
        except BotoCoreError as error:
            if isinstance(error, (HTTPClientError, NoConnection)):
                self._away_until = steady_clock.seconds() + PAUSE
            raise FileStoreUnavailable(type(error).__name__) from error


class _ObjectReader(io.RawIOBase):
    """An object that is asked for from where it is read; changed meanwhile: unavailable."""

    def __init__(self, store: S3FileStore, name: str) -> None:
        about = store.describe(name)
        self._store, self._name = store, name
        self._size, self._etag = int(about["ContentLength"]), str(about["ETag"])
        self._position, self._body = 0, cast("Any", None)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place; what is asked for from there comes with the next reading."""
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if origin + offset != self._position:
            self._release()
            self._position = origin + offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as the next bytes came; 0 at the end."""
        if self._position >= self._size:
            return 0
        if self._body is None:
            self._body = self._store.request_range(self._name, self._position, self._etag)
        data = self._store.read_part(self._name, self._body, len(buffer))
        if not data:
            raise FileStoreUnavailable("IncompleteRead")
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def close(self) -> None:
        """Give the connection up, wherever reading ended."""
        self._release()
        super().close()

    def _release(self) -> None:
        if self._body is not None:
            self._body.close()
            self._body = None


def _lock_name(name: str) -> str:
    return f"file {name}"
