"""Small media files of every type, built by hand, so that tests can build broken ones too."""

import io
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body), name) + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int = 2, height: int = 1, *more: bytes) -> bytes:
    """A PNG that says it is so large; its points are those of a small one."""
    heading = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    points = zlib.compress(b"\0\x7f\xff" if width == 2 else b"\0")
    parts = chunk(b"IHDR", heading), *more, chunk(b"IDAT", points), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def jpeg(width: int = 2, height: int = 1, comment: bytes = b"") -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0"
    parts = [
        b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment,
        b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame,
        b"\xff\xda\0\x08\1\1\0\0\x3f\0" + b"points\xff\x00\xff\xd3points",
    ]
    return b"\xff\xd8" + b"".join(parts) + b"\xff\xd9"


def gif(width: int = 2, height: int = 1, inner: tuple[int, int] | None = None) -> bytes:
    wide, high = inner or (width, height)
    screen = struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    image = b"," + struct.pack("<HHHHB", 0, 0, wide, high, 0x80) + b"\0" * 6 + b"\2\2ab\0"
    return b"GIF89a" + screen + b"!\xfe\4note\0" + image + b";"


def riff(name: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    body = name + b"".join(
        tag + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for tag, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def three(number: int) -> bytes:
    return struct.pack("<I", number - 1)[:3]


def webp(width: int = 2, height: int = 1) -> bytes:
    """The simplest kind, without loss."""
    bits = (width - 1) | (height - 1) << 14
    return riff(b"WEBP", (b"VP8L", b"\x2f" + struct.pack("<I", bits) + b"points"))


def webp_lossy(width: int, height: int) -> bytes:
    return riff(b"WEBP", (b"VP8 ", b"tag\x9d\1\x2a" + struct.pack("<HH", width, height) + b"x"))


def webp_moving(width: int, height: int, wide: int, high: int) -> bytes:
    frame = b"\0" * 6 + three(wide) + three(high) + b"\0" * 4
    return riff(b"WEBP", (b"VP8X", b"\2\0\0\0" + three(width) + three(height)), (b"ANMF", frame))


def wav(code: int = 1) -> bytes:
    heading = struct.pack("<HHIIHH", code, 1, 8000, 8000, 1, 8)
    return riff(b"WAVE", (b"fmt ", heading), (b"junk", b"odd"), (b"data", b"\x80" * 9))


def mp3(frames: int = 4, tag: bytes | None = b"words") -> bytes:
    """Frames of 128 kbit/s at 44.1 kHz are 417 bytes long."""
    before = b"" if tag is None else b"ID3\4\0\0" + struct.pack(">I", len(tag)) + tag
    return before + (b"\xff\xfb\x90\x00" + b"\0" * 413) * frames


def page(flags: int, body: bytes) -> bytes:
    return struct.pack("<4sBBQIIIB", b"OggS", 0, flags, 0, 1, 0, 0, 1) + bytes([len(body)]) + body


def ogg(codec: bytes = b"OpusHead") -> bytes:
    return page(2, codec + b"...") + page(0, b"sound") + page(4, b"end")


def box(name: bytes, *bodies: bytes) -> bytes:
    body = b"".join(bodies)
    return struct.pack(">I4s", len(body) + 8, name) + body


def mp4(*handlers: bytes, brand: bytes = b"isom", after: bytes = b"") -> bytes:
    tracks = [
        box(b"trak", box(b"mdia", box(b"hdlr", b"\0" * 8 + handler + b"\0" * 12)))
        for handler in handlers or (b"vide", b"soun")
    ]
    return box(b"ftyp", brand, b"\0\0\0\1", brand) + box(b"moov", *tracks) + after


def m4a() -> bytes:
    return mp4(b"soun", brand=b"M4A ")


def element(name: int, *bodies: bytes) -> bytes:
    body = b"".join(bodies)
    tag = name.to_bytes((name.bit_length() + 7) // 8, "big")
    return tag + (len(body) | 1 << 28).to_bytes(4, "big") + body


def webm(kinds: Iterable[int] = (1, 2), doctype: bytes = b"webm", after: bytes = b"") -> bytes:
    tracks = (element(0xAE, element(0x83, bytes([kind]))) for kind in kinds)
    heading = element(0x1A45DFA3, element(0x4282, doctype))
    info, cluster = element(0x1549A966, b"..."), element(0x1F43B675, b"points")
    segment = info + element(0x1654AE6B, *tracks) + cluster
    return heading + element(0x18538067, segment) + after


def svg(inside: str = '<rect width="1" height="1"/>', more: str = "") -> bytes:
    space = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg {space} viewBox="0 0 4 2" {more}>{inside}</svg>'.encode()


EVERY: dict[str, bytes] = {
    "png": png(),
    "jpg": jpeg(),
    "gif": gif(),
    "webp": webp(),
    "svg": svg(),
    "mp3": mp3(),
    "ogg": ogg(),
    "wav": wav(),
    "m4a": m4a(),
    "weba": webm((2,)),
    "mp4": mp4(),
    "webm": webm(),
}
"""One of each kind, by extension."""


@pytest.fixture
def store(settings, tmp_path: Path) -> Path:
    """An empty folder for uploaded files."""
    root = tmp_path / "media"
    settings.MEDIA_ROOT = root
    return root


def upload(bank: Bank, data: bytes, name: str = "a file", by=None) -> Media:
    return uploads.save_media(bank=bank, file=io.BytesIO(data), name=name, by=by)


def media_markdown(media: Media, words: str = "What it shows") -> str:
    """The words that show a file."""
    return f"![{words}](media:{media.uuid}.{media.extension})"
