"""Bodies with files in them: refused by their length before a byte is read, then never in memory.

Django reads a form before any view is asked, and files in it to the end: without a bound anyone
could fill the disk through the sign-in page.
"""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import (
    FileUploadHandler,
    MemoryFileUploadHandler,
    TemporaryFileUploadHandler,
)
from django.http import HttpRequest

AROUND = 64 * 1024
"""Bytes that a form may have besides its file."""


class Small(MemoryFileUploadHandler):
    """For every form that takes no files: no larger than a form without them may be."""

    def handle_raw_input(self, input_data: Any, *of_it: Any, **more: Any) -> Any:
        """Refuse a body by its length."""
        _bound(of_it, settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
        return super().handle_raw_input(input_data, *of_it, **more)


class Large(TemporaryFileUploadHandler):
    """For the one form that takes files: written to the disk as they come."""

    def handle_raw_input(self, input_data: Any, *of_it: Any, **more: Any) -> Any:
        """Refuse a body by its length."""
        _bound(of_it, largest())
        return super().handle_raw_input(input_data, *of_it, **more)

    def new_file(self, *of_it: Any, **more: Any) -> None:
        """Begin a file in our own folder."""
        FileUploadHandler.new_file(self, *of_it, **more)
        self.file = Incoming(self.file_name, self.content_type, 0, self.charset)


class Incoming(TemporaryUploadedFile):
    """A file on its way in, beside where it will stay: the usual folder may lie in memory."""

    # Not by Django's setting for this: no command runs while that names a folder which is not
    # there, and in a container that takes no files it cannot be.
    def __init__(self, *of_it: Any) -> None:
        file = NamedTemporaryFile(dir=incoming(), suffix=".upload")  # noqa: SIM115  the request closes it
        UploadedFile.__init__(self, file, *of_it)


def incoming() -> Path:
    """Return the folder of files that are not whole yet."""
    folder = Path(settings.MEDIA_ROOT) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _bound(of_body: tuple[Any, ...], most: int) -> None:
    """Refuse by the length, which Django gives after the headers."""
    if of_body[1] > most:
        raise RequestDataTooBig


def largest() -> int:
    """Return how many bytes a body with a file may have."""
    return max(settings.MEDIA_LARGEST.values()) + AROUND


def is_too_large(request: HttpRequest) -> bool:
    """Return whether a body is larger than any file may be, by its head."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return not length.isdecimal() or int(length[:18]) > largest()


def take_files(request: HttpRequest) -> None:
    """Let this request bring a file; to be called before its form is looked at."""
    request.upload_handlers = [Large(request)]
