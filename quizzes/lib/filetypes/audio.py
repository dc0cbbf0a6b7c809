"""Sounds: MP3, Ogg (Opus, Vorbis, FLAC) and WAV, each read to its very end."""

import struct
from typing import Final

from quizzes.lib.filetypes.contract import FileBytes, FileType, UnsupportedFile

# PCM, floating point, A-law, µ-law, and "see further on".
_WAV_CODES: Final = frozenset({1, 3, 6, 7, 0xFFFE})
_FMT: Final = 16

_PAGE: Final = struct.Struct("<4sBBQIIIB")
_FIRST_PAGE: Final = 0x02
_CODECS: Final = (b"OpusHead", b"\x01vorbis", b"\x7fFLAC")

# Kilobits a second by index, for version 1 and for versions 2 and 2.5, of layer III.
_RATES_1: Final = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_RATES_2: Final = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_HERTZ: Final = (44_100, 48_000, 32_000)
# By the two bits of the version: what divides the frequency.
_DIVISOR: Final = {3: 1, 2: 2, 0: 4}
_VERSION_1: Final = 3
_LAYER_3: Final = 1
_FEW: Final = 3
_TAGS: Final = (b"TAG", b"APETAGEX", b"LYRICSBEGIN", b"ID3")


def wav(data: FileBytes) -> FileType:
    """Read a WAV: a format that browsers play, then samples."""
    if data.at(0, 4) != b"RIFF" or int.from_bytes(data.at(4, 4), "little") + 8 != data.size:
        raise UnsupportedFile("truncated")
    at, names = 12, set()
    while at < data.size:
        name, length = data.at(at, 4), int.from_bytes(data.at(at + 4, 4), "little")
        if at + 8 + length > data.size:
            raise UnsupportedFile("truncated")
        if name == b"fmt ":
            _known(int.from_bytes(data.at(at + 8, min(length, _FMT))[:2], "little") in _WAV_CODES)
        names.add(name)
        at += 8 + length + length % 2
    _known({b"fmt ", b"data"} <= names)
    return FileType("wav")


def _known(holds: bool) -> None:
    if not holds:
        raise UnsupportedFile("unreadable")


def ogg(data: FileBytes) -> FileType:
    """Read an Ogg: page by page, and no stream in it but sound."""
    at, streams = 0, 0
    while at < data.size:
        capture, version, flags, *_, segments = _PAGE.unpack(data.at(at, _PAGE.size))
        if capture != b"OggS" or version:
            raise UnsupportedFile("trailing_bytes" if streams else "unreadable")
        body = at + _PAGE.size + segments
        length = sum(data.at(at + _PAGE.size, segments))
        if flags & _FIRST_PAGE:
            _known(data.at(body, min(length, 8)).startswith(_CODECS))
            streams += 1
        at = body + length
    if at > data.size:
        raise UnsupportedFile("truncated")
    _known(streams > 0)
    return FileType("ogg")


def mp3(data: FileBytes) -> FileType:
    """Read an MP3: frame by frame; tags may stand before and behind."""
    at, frames = _after_tags(data), 0
    while at + 4 <= data.size and (length := _frame(data.at(at, 4))):
        at, frames = at + length, frames + 1
    _known(frames >= _FEW)
    # The last frame may be cut short: recorders stop where they stop.
    if at < data.size and not data.at(at, min(16, data.size - at)).startswith(_TAGS):
        rest = data.at(at, data.size - at)
        if rest.strip(b"\0"):
            raise UnsupportedFile("trailing_bytes")
    return FileType("mp3")


def begins_frame(head: bytes) -> bool:
    """Return whether an MP3 may begin here without a tag: one frame, and another behind it."""
    length = _frame(head[:4])
    return bool(length and _frame(head[length : length + 4]))


def _after_tags(data: FileBytes) -> int:
    at = 0
    while at + 10 <= data.size and data.at(at, 3) == b"ID3":
        size = 0
        for seven in data.at(at + 6, 4):
            size = size << 7 | seven & 0x7F
        at += 10 + size
    return at


def _frame(header: bytes) -> int:
    """Return the length of the frame with this header; 0 where it is none."""
    bits = int.from_bytes(header, "big")
    version, layer = bits >> 19 & 3, bits >> 17 & 3
    rate, hertz = bits >> 12 & 15, bits >> 10 & 3
    if len(header) < 4 or bits >> 21 != 0x7FF or layer != _LAYER_3 or version not in _DIVISOR:  # noqa: PLR2004  the format's own numbers
        return 0
    if not 0 < rate < len(_RATES_1) or hertz == len(_HERTZ):
        return 0
    is_first = version == _VERSION_1
    thousands = (_RATES_1 if is_first else _RATES_2)[rate]
    samples = 144 if is_first else 72
    return samples * thousands * 1000 // (_HERTZ[hertz] // _DIVISOR[version]) + (bits >> 9 & 1)
