"""What an uploaded file is, told by its bytes alone; what its name or sender says counts nothing.

Pure. Each reader goes through the whole structure of its format, so that a page named .png, or
two files in one, are refused. A drawing (SVG) is written anew out of what is listed.
"""

from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

from quizzes.lib.sniffing import drawings, films, images, sounds
from quizzes.lib.sniffing.contract import AUDIO, IMAGE, KINDS, VIDEO, Bytes, Found, Kind, Unfit

__all__ = ["AUDIO", "IMAGE", "KINDS", "VIDEO", "Found", "Kind", "Unfit", "sniff"]

Reader = Callable[[Bytes], Found]

HEAD: Final = 4096
# What a browser would take for a page if it ever guessed; no picture or sound begins like this.
PAGE: Final = (b"<!doctype", b"<html", b"<head", b"<body", b"<script", b"<iframe", b"<?php")

# Offset and bytes that a format begins with, the family it is measured by, and who reads on.
MAGIC: Final[tuple[tuple[int, bytes, str, Reader], ...]] = (
    (0, b"\x89PNG\r\n\x1a\n", IMAGE, images.png),
    (0, b"\xff\xd8\xff", IMAGE, images.jpeg),
    (0, b"GIF87a", IMAGE, images.gif),
    (0, b"GIF89a", IMAGE, images.gif),
    (8, b"WEBP", IMAGE, images.webp),
    (8, b"WAVE", AUDIO, sounds.wav),
    (0, b"ID3", AUDIO, sounds.mp3),
    (0, b"OggS", AUDIO, sounds.ogg),
    (4, b"ftyp", VIDEO, films.mp4),
    (0, b"\x1a\x45\xdf\xa3", VIDEO, films.webm),
)


def sniff(file: BinaryIO, largest: Mapping[str, int]) -> Found:
    """Return what a file is; raises Unfit if pages cannot show it, or it is broken or too large.

    `largest` is the greatest size in bytes by family (IMAGE, AUDIO, VIDEO); nothing larger is read.
    """
    data = Bytes(file)
    if not data.size:
        raise Unfit("empty")
    head = data.at(0, min(HEAD, data.size))
    family, reader = _by_magic(head)
    if data.size > largest[family]:
        raise Unfit("too_large", size=data.size, maximum=largest[family])
    if reader is not drawings.svg and any(mark in head.lower() for mark in PAGE):
        raise Unfit("holds_a_page")
    file_type = reader(data)
    if data.size > largest[file_type.family]:
        raise Unfit("too_large", size=data.size, maximum=largest[file_type.family])
    return file_type


def _by_magic(head: bytes) -> tuple[str, Reader]:
    for offset, magic, family, reader in MAGIC:
        if head.startswith(magic, offset):
            return family, reader
    if sounds.begins_frame(head):
        return AUDIO, sounds.mp3
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return IMAGE, drawings.svg
    raise Unfit("unknown_type")
