"""Compressed tapes (.tar.gz): unpacked in memory within bounds, their entries read by ourselves.

The standard library's reader takes links, devices, sparse files and headers of any length from a
stranger; here only files, folders and long names are known. Pure.
"""

import re
import zlib
from collections.abc import Iterator

from quizzes.formats.parsing.limits import ArchiveLimits, ArchiveRefused, check_member_name

SIGNATURE = b"\x1f\x8b\x08"
_BLOCK = 512
_PIECE = 1 << 20
_LONGEST_NAME = 4096
_FILE, _FOLDER, _LONG_NAME, _HEADER, _HEADERS = b"\0", b"5", b"L", b"x", b"g"
_OCTAL = re.compile(rb" *([0-7]{1,12})[ \0]*")
_RECORD = re.compile(rb"([1-9]\d{0,3}) ([A-Za-z.]{1,60})=")


def entries(data: bytes, caps: ArchiveLimits) -> dict[str, memoryview]:
    """Give each file of a compressed tape by its name, in their order; one that is unfit: Unfit."""
    tape = memoryview(_inflated(data, caps))  # never copied whole: it may be large
    members: dict[str, memoryview] = {}
    seen: set[str] = set()
    for name, content in _files(tape, caps):
        free = check_member_name(name.removeprefix("./"), seen)
        if len(content) > caps.member:
            raise ArchiveRefused("package_expands", "a file in the package unpacks to too much")
        members[free] = content
    return members


def _inflated(data: bytes, caps: ArchiveLimits) -> bytearray:
    if len(data) > caps.packed:
        raise ArchiveRefused("package_too_big", f"the package is over {caps.packed} bytes")
    stream, inflated = zlib.decompressobj(16 + zlib.MAX_WBITS), bytearray()
    most = min(caps.unpacked, max(len(data) * caps.ratio, caps.small))
    try:
        for start in range(0, len(data), _PIECE):
            rest = data[start : start + _PIECE]
            while rest and not stream.eof:
                inflated += stream.decompress(rest, _PIECE)
                rest = stream.unconsumed_tail
                if len(inflated) > most:
                    raise ArchiveRefused("package_expands", "the package unpacks to too much")
    except zlib.error:
        raise ArchiveRefused("package_damaged", "the package is damaged") from None
    if not stream.eof:
        raise ArchiveRefused("package_damaged", "the package breaks off")
    return inflated


def _files(tape: memoryview, caps: ArchiveLimits) -> Iterator[tuple[str, memoryview]]:
    at = count = 0
    name = ""
    while bytes(tape[at : at + _BLOCK]).strip(b"\0"):
        head, count = bytes(tape[at : at + _BLOCK]), count + 1
        if count > caps.entries * 2:  # a long name is an entry before its file
            raise ArchiveRefused("package_too_many", f"the package holds over {caps.entries} files")
        content, at = _content(tape, head, at + _BLOCK)
        kind = head[156:157].replace(b"0", b"\0")
        if kind == _LONG_NAME:
            name = _text(bytes(content[:_LONGEST_NAME]))
        elif kind == _HEADER:
            name = _path(bytes(content)) or name
        elif kind == _FILE:
            yield name or _name(head), content
            name = ""
        elif kind not in {_FOLDER, _HEADERS}:
            raise ArchiveRefused("package_link", "the package holds a link or a device")
        else:
            name = "" if kind == _FOLDER else name
    if at >= len(tape):
        raise ArchiveRefused("package_damaged", "the package breaks off")


def _content(tape: memoryview, head: bytes, at: int) -> tuple[memoryview, int]:
    """Give what belongs to a header, and where the next one begins."""
    size, told = _OCTAL.fullmatch(head[124:136]), _OCTAL.fullmatch(head[148:156])
    total = sum(head) - sum(head[148:156]) + 8 * ord(" ")
    if size is None or told is None or int(told[1], 8) != total:
        raise ArchiveRefused("package_damaged", "the package is damaged")
    end = at + int(size[1], 8)
    if end > len(tape):
        raise ArchiveRefused("package_damaged", "the package breaks off")
    return tape[at:end], end + -end % _BLOCK


def _name(head: bytes) -> str:
    name = _text(head[:100])
    above = _text(head[345:500]) if head[257:263] == b"ustar\0" else ""
    return f"{above}/{name}" if above else name


def _path(records: bytes) -> str:
    """Give the path that a header of its own tells; other things that it tells are not needed.

    A size of its own would make two readers see two tapes: Unfit.
    """
    at, path = 0, ""
    while match := _RECORD.match(records, at):
        end = at + int(match[1])
        if match[2] == b"path":
            path = records[match.end() : min(end - 1, match.end() + _LONGEST_NAME)].decode(
                errors="replace"
            )
        elif match[2] == b"size" or match[2].startswith(b"GNU.sparse"):
            raise ArchiveRefused(
                "package_damaged", "the package tells sizes in a way that is not read here"
            )
        at = end
    return path


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")
