"""The type of an uploaded file, by its bytes alone: its name and the sender's word do not count.

Pure. Each reader goes through the whole structure of its format, so that a page named .png, or
two files in one, are refused. An SVG is written anew from an allow-list.
"""

from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

from quizzes.lib.filetypes import audio, images, svg, video
from quizzes.lib.filetypes.contract import (
    AUDIO,
    IMAGE,
    KINDS,
    VIDEO,
    FileBytes,
    FileType,
    Kind,
    UnsupportedFile,
)

__all__ = ["AUDIO", "IMAGE", "KINDS", "VIDEO", "FileType", "Kind", "UnsupportedFile", "detect"]

Reader = Callable[[FileBytes], FileType]

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
    (8, b"WAVE", AUDIO, audio.wav),
    (0, b"ID3", AUDIO, audio.mp3),
    (0, b"OggS", AUDIO, audio.ogg),
    (4, b"ftyp", VIDEO, video.mp4),
    (0, b"\x1a\x45\xdf\xa3", VIDEO, video.webm),
)


def detect(file: BinaryIO, largest: Mapping[str, int]) -> FileType:
    """Return the type of a file; UnsupportedFile if pages cannot show it or it is too large.

    `largest` is the greatest size in bytes by family (IMAGE, AUDIO, VIDEO); nothing larger is read.
    """
    data = FileBytes(file)
    if not data.size:
        raise UnsupportedFile("empty")
    head = data.at(0, min(HEAD, data.size))
    family, reader = _by_magic(head)
    if data.size > largest[family]:
        raise UnsupportedFile("too_large", size=data.size, maximum=largest[family])
    if reader is not svg.svg and any(mark in head.lower() for mark in PAGE):
        raise UnsupportedFile("holds_a_page")
    file_type = reader(data)
    if data.size > largest[file_type.family]:
        raise UnsupportedFile("too_large", size=data.size, maximum=largest[file_type.family])
    return file_type


def _by_magic(head: bytes) -> tuple[str, Reader]:
    for offset, magic, family, reader in MAGIC:
        if head.startswith(magic, offset):
            return family, reader
    if audio.begins_frame(head):
        return AUDIO, audio.mp3
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return IMAGE, svg.svg
    raise UnsupportedFile("unknown_type")
