"""Pictures of points: PNG, JPEG, GIF and WebP, each read to its very end."""

import re
import struct
import zlib
from collections.abc import Iterator
from typing import Final

from quizzes.lib.filetypes.contract import FileBytes, FileType, UnsupportedFile, image_type

_CHUNK: Final = struct.Struct(">I4s")
_IHDR_LENGTH: Final = 13

# A marker, after any number of fill bytes.
_MARKER = re.compile(rb"\xff+([^\xff])")
# Within a scan 0xFF stands for itself before 0, and restarts (D0 to D7) belong to it.
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_SOI, _EOI, _SOS = b"\xff\xd8", 0xD9, 0xDA
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE: Final = frozenset(range(0xD0, 0xD8)) | {0x01}
_LENGTH: Final = 2

_GIF_SCREEN: Final = struct.Struct("<HHBxx")
_GIF_IMAGE: Final = struct.Struct("<xxxxHHB")
_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B
_HAS_COLOURS, _COLOURS = 0x80, 0x07


def png(data: FileBytes) -> FileType:
    """Read a PNG: every chunk with its checksum, and nothing after the last."""
    at, file_type, names = 8, None, set()
    while b"IEND" not in names:
        length, name = _CHUNK.unpack(data.at(at, 8))
        body = data.at(at + 4, length + 4)
        if zlib.crc32(body) != data.number(at + 8 + length, 4):
            raise UnsupportedFile("unreadable")
        if file_type is None:
            if (name, length) != (b"IHDR", _IHDR_LENGTH):
                raise UnsupportedFile("unreadable")
            file_type = image_type("png", *struct.unpack(">II", body[4:12]))
        names.add(name)
        at += length + 12
    if file_type is None or b"IDAT" not in names:
        raise UnsupportedFile("unreadable")
    _ends(at, data.size)
    return file_type


def jpeg(data: FileBytes) -> FileType:
    """Read a JPEG, and the smaller ones that telephones keep behind it."""
    content = data.read_all()
    end, file_type = _one_jpeg(content, 0)
    while content.startswith(_SOI, end):
        end, _ = _one_jpeg(content, end)
    _ends(end, len(content.rstrip(b"\0")))
    return file_type


def _one_jpeg(content: bytes, at: int) -> tuple[int, FileType]:
    """Return where the picture that begins here ends, and what it is."""
    file_type = None
    at += len(_SOI)
    while True:
        marker = _MARKER.match(content, at)
        if marker is None:
            raise UnsupportedFile("truncated" if at >= len(content) else "unreadable")
        code, at = marker[1][0], marker.end()
        if code == _EOI and file_type is not None:
            return at, file_type
        if code in _ALONE:
            continue
        length = int.from_bytes(content[at : at + 2], "big")
        if length < _LENGTH or at + length > len(content):
            raise UnsupportedFile("truncated")
        if code in _FRAMES:
            height, width = struct.unpack(">HH", content[at + 3 : at + 7].ljust(4, b"\0"))
            file_type = image_type("jpg", width, height)
        at += length
        if code == _SOS:
            after = _AFTER_SCAN.search(content, at)
            at = after.start() if after else len(content)


def gif(data: FileBytes) -> FileType:
    """Read a GIF: every block, and nothing after the last."""
    width, height, flags = _GIF_SCREEN.unpack(data.at(6, 7))
    file_type, frames = image_type("gif", width, height), 0
    content = data.read_all()
    at = 13 + _colours(flags)
    while (block := _byte(content, at)) != _TRAILER:
        if block == _EXTENSION:
            at = _after_blocks(content, at + 2)
        elif block == _IMAGE:
            wide, high, flags = _GIF_IMAGE.unpack(data.at(at + 1, 9))
            image_type("gif", wide, high)
            at, frames = _after_blocks(content, at + 11 + _colours(flags)), frames + 1
        else:
            raise UnsupportedFile("unreadable")
    if not frames:
        raise UnsupportedFile("unreadable")
    _ends(at + 1, data.size)
    return file_type


def _colours(flags: int) -> int:
    return 3 * 2 ** ((flags & _COLOURS) + 1) if flags & _HAS_COLOURS else 0


def _byte(content: bytes, at: int) -> int:
    if at >= len(content):
        raise UnsupportedFile("truncated")
    return content[at]


def _after_blocks(content: bytes, at: int) -> int:
    while length := _byte(content, at):
        at += length + 1
    return at + 1


def webp(data: FileBytes) -> FileType:
    """Read a WebP: every chunk, the frames of an animation too."""
    content = data.read_all()
    size = int.from_bytes(content[4:8], "little") + 8
    if not content.startswith(b"RIFF") or size > len(content):
        raise UnsupportedFile("truncated")
    _ends(size, len(content))
    sizes = list(_webp_sizes(content, 12, size))
    if not sizes:
        raise UnsupportedFile("unreadable")
    return [image_type("webp", *size) for size in sizes][0]  # noqa: RUF015  each is judged


def _webp_sizes(
    content: bytes, at: int, end: int, *, inner: bool = False
) -> Iterator[tuple[int, int]]:
    while at < end:
        name, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        body = at + 8
        if body + length > end:
            raise UnsupportedFile("truncated")
        if name == b"VP8X":
            yield _small(content, body + 4) + 1, _small(content, body + 7) + 1
        elif name == b"VP8L":
            bits = int.from_bytes(content[body + 1 : body + 5], "little")
            yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        elif name == b"VP8 ":
            yield struct.unpack("<HH", bytes(_masked(content[body + 6 : body + 10])))
        elif name == b"ANMF" and not inner:
            yield _small(content, body + 6) + 1, _small(content, body + 9) + 1
            yield from _webp_sizes(content, body + 16, body + length, inner=True)
        at = body + length + length % 2


def _small(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 3], "little")


def _masked(four: bytes) -> Iterator[int]:
    """Drop the two bits of each side that say how to scale."""
    yield from (
        byte & (0x3F if place % 2 else 0xFF) for place, byte in enumerate(four.ljust(4, b"\0"))
    )


def _ends(at: int, size: int) -> None:
    if at != size:
        raise UnsupportedFile("truncated" if at > size else "trailing_bytes")
