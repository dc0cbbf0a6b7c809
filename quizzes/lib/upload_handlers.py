"""Upload handlers: a body is refused by its length before a byte is read; files go to the disk.

Django reads a form with its files before any view is called: without a limit anyone could fill
the disk through the sign-in page.
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

FORM_OVERHEAD = 64 * 1024
"""Bytes that a form may have besides its file."""


class NoFileUploadHandler(MemoryFileUploadHandler):
    """For every form without files: limited like any other form."""

    def handle_raw_input(self, input_data: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse a body by its length."""
        _check_length(args, settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
        return super().handle_raw_input(input_data, *args, **kwargs)


class MediaUploadHandler(TemporaryFileUploadHandler):
    """For forms with a file: it is written to the disk as it arrives."""

    def handle_raw_input(self, input_data: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse a body by its length."""
        _check_length(args, max_upload_bytes())
        return super().handle_raw_input(input_data, *args, **kwargs)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Create the file in our own folder."""
        FileUploadHandler.new_file(self, *args, **kwargs)
        self.file = IncomingFile(self.file_name, self.content_type, 0, self.charset)


class IncomingFile(TemporaryUploadedFile):
    """A file that is being uploaded, in MEDIA_ROOT: the usual folder may lie in memory."""

    # Not by Django's setting for this: no command runs while that names a folder which is not
    # there, and in a container that takes no files it cannot be.
    def __init__(self, *args: Any) -> None:
        file = NamedTemporaryFile(dir=incoming_folder(), suffix=".upload")  # noqa: SIM115  the request closes it
        UploadedFile.__init__(self, file, *args)


def incoming_folder() -> Path:
    """Return the folder of files that are not complete yet."""
    folder = Path(settings.MEDIA_ROOT) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _check_length(args: tuple[Any, ...], maximum: int) -> None:
    """Refuse by the length, which Django passes after the headers."""
    if args[1] > maximum:
        raise RequestDataTooBig


def max_upload_bytes() -> int:
    """Return how many bytes a body with a file may have."""
    return max(settings.MEDIA_MAX_BYTES.values()) + FORM_OVERHEAD


def is_too_large(request: HttpRequest) -> bool:
    """Return whether a body is larger than any file may be, by its header."""
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return not length.isdecimal() or int(length[:18]) > max_upload_bytes()


def allow_uploads(request: HttpRequest) -> None:
    """Allow files in this request; call it before the form is read."""
    request.upload_handlers = [MediaUploadHandler(request)]
