"""Unpack compressed archives (.tar.gz) in memory, within limits. Pure.

The standard library's reader accepts links, devices, sparse files and headers of any length; this
one accepts only files, folders and long names.
"""

import re
import zlib
from collections.abc import Iterator

from quizzes.lib.archives.limits import ArchiveLimits, ArchiveRefused, check_member_name

SIGNATURE = b"\x1f\x8b\x08"
_BLOCK = 512
_CHUNK = 1 << 20
_MAX_NAME = 4096
_FILE, _FOLDER, _LONG_NAME, _HEADER, _GLOBAL_HEADER = b"\0", b"5", b"L", b"x", b"g"
_OCTAL = re.compile(rb" *([0-7]{1,12})[ \0]*")
_RECORD = re.compile(rb"([1-9]\d{0,3}) ([A-Za-z.]{1,60})=")


def read_members(data: bytes, limits: ArchiveLimits) -> dict[str, memoryview]:
    """Return each file of an archive by its name, in their order, or raise ArchiveRefused."""
    archive = memoryview(_inflate(data, limits))  # never copied: it may be large
    members: dict[str, memoryview] = {}
    seen: set[str] = set()
    for name, content in _iterate_files(archive, limits):
        if len(content) > limits.member:
            raise ArchiveRefused("package_expands", "a file in the package unpacks to too much")
        members[check_member_name(name.removeprefix("./"), seen)] = content
    return members


def _inflate(data: bytes, limits: ArchiveLimits) -> bytearray:
    if len(data) > limits.packed:
        raise ArchiveRefused("package_too_big", f"the package is over {limits.packed} bytes")
    stream, inflated = zlib.decompressobj(16 + zlib.MAX_WBITS), bytearray()
    max_bytes = min(limits.unpacked, max(len(data) * limits.ratio, limits.small))
    try:
        for start in range(0, len(data), _CHUNK):
            rest = data[start : start + _CHUNK]
            while rest and not stream.eof:
                inflated += stream.decompress(rest, _CHUNK)
                rest = stream.unconsumed_tail
                if len(inflated) > max_bytes:
                    raise ArchiveRefused("package_expands", "the package unpacks to too much")
    except zlib.error:
        raise ArchiveRefused("package_damaged", "the package is damaged") from None
    if not stream.eof:
        raise ArchiveRefused("package_damaged", "the package breaks off")
    return inflated


def _iterate_files(archive: memoryview, limits: ArchiveLimits) -> Iterator[tuple[str, memoryview]]:
    at = count = 0
    name = ""
    while bytes(archive[at : at + _BLOCK]).strip(b"\0"):
        head, count = bytes(archive[at : at + _BLOCK]), count + 1
        if count > limits.entries * 2:  # a long name is an entry before its file
            raise ArchiveRefused(
                "package_too_many", f"the package holds over {limits.entries} files"
            )
        content, at = _read_content(archive, head, at + _BLOCK)
        kind = head[156:157].replace(b"0", b"\0")
        if kind == _LONG_NAME:
            name = _read_field(bytes(content[:_MAX_NAME]))
        elif kind == _HEADER:
            name = _read_path(bytes(content)) or name
        elif kind == _FILE:
            yield name or _read_name(head), content
            name = ""
        elif kind not in {_FOLDER, _GLOBAL_HEADER}:
            raise ArchiveRefused("package_link", "the package holds a link or a device")
        else:
            name = "" if kind == _FOLDER else name
    if at >= len(archive):
        raise ArchiveRefused("package_damaged", "the package breaks off")


def _read_content(archive: memoryview, head: bytes, at: int) -> tuple[memoryview, int]:
    """Return the content of a header, and where the next header begins."""
    size, checksum = _OCTAL.fullmatch(head[124:136]), _OCTAL.fullmatch(head[148:156])
    total = sum(head) - sum(head[148:156]) + 8 * ord(" ")
    if size is None or checksum is None or int(checksum[1], 8) != total:
        raise ArchiveRefused("package_damaged", "the package is damaged")
    end = at + int(size[1], 8)
    if end > len(archive):
        raise ArchiveRefused("package_damaged", "the package breaks off")
    return archive[at:end], end + -end % _BLOCK


def _read_name(head: bytes) -> str:
    name = _read_field(head[:100])
    folder = _read_field(head[345:500]) if head[257:263] == b"ustar\0" else ""
    return f"{folder}/{name}" if folder else name


def _read_path(records: bytes) -> str:
    """Return the path in an extended header; "" if it has none.

    Raise ArchiveRefused for a size: two readers would see two different archives.
    """
    at, path = 0, ""
    while match := _RECORD.match(records, at):
        end = at + int(match[1])
        if match[2] == b"path":
            path = records[match.end() : min(end - 1, match.end() + _MAX_NAME)].decode(
                errors="replace"
            )
        elif match[2] == b"size" or match[2].startswith(b"GNU.sparse"):
            raise ArchiveRefused(
                "package_damaged", "the package tells sizes in a way that is not read here"
            )
        at = end
    return path


def _read_field(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")
