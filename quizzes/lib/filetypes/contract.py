"""The file types that pages show, and what a reader returns or raises."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

IMAGE: Final = "image"
AUDIO: Final = "audio"
VIDEO: Final = "video"

# Forty million points fill 160 MB once unpacked; a header can promise four thousand million.
MAX_PIXELS: Final = 40_000_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: its media type, and what shows it."""

    media_type: str
    family: str


KINDS: Final[Mapping[str, Kind]] = {
    "png": Kind("image/png", IMAGE),
    "jpg": Kind("image/jpeg", IMAGE),
    "gif": Kind("image/gif", IMAGE),
    "webp": Kind("image/webp", IMAGE),
    "svg": Kind("image/svg+xml", IMAGE),
    "mp3": Kind("audio/mpeg", AUDIO),
    "ogg": Kind("audio/ogg", AUDIO),
    "wav": Kind("audio/wav", AUDIO),
    "m4a": Kind("audio/mp4", AUDIO),
    "weba": Kind("audio/webm", AUDIO),
    "mp4": Kind("video/mp4", VIDEO),
    "webm": Kind("video/webm", VIDEO),
}
"""By extension, which is what addresses and references carry."""


@dataclass(frozen=True, slots=True)
class FileType:
    """What a file is. `cleaned` is what to keep in its place, where it was written anew."""

    extension: str
    width: int | None = None
    height: int | None = None
    cleaned: bytes | None = None

    @property
    def family(self) -> str:
        """IMAGE, AUDIO or VIDEO."""
        return KINDS[self.extension].family

    @property
    def media_type(self) -> str:
        """What the file is served as."""
        return KINDS[self.extension].media_type


class UnsupportedFile(ValueError):
    """The file cannot be taken. `code` is stable; `detail` holds what a sentence about it needs."""

    def __init__(self, code: str, **detail: Any) -> None:
        self.code = code
        self.detail: Mapping[str, Any] = detail
        super().__init__(code)


class FileBytes:
    """A file to be looked into, piece by piece."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = file.seek(0, os.SEEK_END)

    def at(self, start: int, count: int) -> bytes:
        """Return exactly so many bytes from there; where they are not: UnsupportedFile."""
        if start < 0 or count < 0 or start + count > self.size:
            raise UnsupportedFile("truncated")
        self._file.seek(start)
        return self._file.read(count)

    def number(self, start: int, count: int) -> int:
        """Return a whole number, the greatest byte first."""
        return int.from_bytes(self.at(start, count), "big")

    def read_all(self) -> bytes:
        """Return everything; for images alone, whose size is bounded before."""
        return self.at(0, self.size)


def image_type(extension: str, width: int, height: int) -> FileType:
    """Return a picture of this size in points; senseless or enormous: UnsupportedFile."""
    if not width or not height:
        raise UnsupportedFile("unreadable")
    if width * height > MAX_PIXELS:
        raise UnsupportedFile("too_many_pixels", width=width, height=height, maximum=MAX_PIXELS)
    return FileType(extension, width, height)
