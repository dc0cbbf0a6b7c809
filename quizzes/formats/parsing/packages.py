"""Packages (zip, tapes): read without trust or file system, written the same every time. Pure.

What a package says of itself is weighed before a byte is unpacked; what it unpacks to is never
more than it said, as far as the caps allow.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO

from quizzes.formats.contract import FileError
from quizzes.formats.parsing import tarballs
from quizzes.formats.parsing.limits import (
    ARCHIVE_LIMITS,
    ArchiveLimits,
    ArchiveRefused,
    check_member_name,
)

SIGNATURE = b"PK\x03\x04"
_END, _ENTRY, _LOCATOR64 = b"PK\x05\x06", b"PK\x01\x02", b"PK\x06\x07"
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # others may claim gigabytes to begin with
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ERRORS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    struct.error,
    zlib.error,
    EOFError,
    IndexError,
    OSError,
    RuntimeError,
    ValueError,
)
"""What the library raises at bytes that are no package, or a broken one."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was weighed and found fit; nothing of it is unpacked until it is read."""

    names: tuple[str, ...]  # of its files, in their order
    _unpack: Callable[[str], bytes] = field(repr=False)
    _total: int  # bytes that all of it unpacks to
    _caps: ArchiveLimits = ARCHIVE_LIMITS

    def read(self, name: str) -> bytes | FileError:
        """Unpack one member; a trouble if there is none of this name, or it is damaged."""
        try:
            return self._unpack(name)
        except KeyError:
            return FileError(1, name, "member_missing", "the package holds no such file")
        except _ERRORS:
            return FileError(1, name, "package_damaged", "this file in the package is damaged")

    def members(self) -> Iterator[tuple[str, bytes | FileError]]:
        """Unpack all members in their order, one at a time."""
        return ((name, self.read(name)) for name in self.names)

    def within(self, name: str) -> "Package | FileError":
        """Open a package within this one; what both unpack to is capped together."""
        data = self.read(name)
        if isinstance(data, FileError):
            return data
        if self._caps.depth <= 1:
            return FileError(1, name, "package_too_deep", "packages are nested too deeply")
        left = self._caps.unpacked - self._total
        return opened(data, replace(self._caps, unpacked=left, depth=self._caps.depth - 1))


def claimed(data: bytes) -> bool:
    """Tell whether these bytes begin as a package does."""
    return data.startswith((SIGNATURE, _END))


def on_tape(data: bytes) -> bool:
    """Tell whether these bytes begin as a compressed tape (.tar.gz) does."""
    return data.startswith(tarballs.SIGNATURE)


def opened(data: bytes, caps: ArchiveLimits = ARCHIVE_LIMITS) -> Package | FileError:
    """Open a package, or say why not; nothing is unpacked yet, of a tape all in memory."""
    try:
        return _tape(data, caps) if on_tape(data) else _zip(data, caps)
    except ArchiveRefused as unfit:
        return FileError(1, "", unfit.code, unfit.message)
    except _ERRORS:
        return FileError(1, "", "package_damaged", "the package is damaged")


def _tape(data: bytes, caps: ArchiveLimits) -> Package:
    tape = tarballs.entries(data, caps)
    total = sum(map(len, tape.values()))
    return Package(tuple(tape), lambda name: bytes(tape[name]), total, caps)


def _zip(data: bytes, caps: ArchiveLimits) -> Package:
    _weigh_directory(data, caps)
    archive = zipfile.ZipFile(BytesIO(data))
    infos = dict(_named(archive.infolist()))
    _weigh(infos.values(), caps)
    _refuse_overlaps(data, archive)
    total = sum(info.file_size for info in infos.values())
    return Package(tuple(infos), lambda name: archive.read(infos[name]), total, caps)


def packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Write (name, bytes) as a package: the same members give the same bytes, whenever."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _weigh_directory(data: bytes, caps: ArchiveLimits) -> None:
    """Count the entries by their signatures, for to list a hundred thousand takes seconds."""
    if len(data) > caps.packed:
        raise ArchiveRefused("package_too_big", f"the package is over {caps.packed} bytes")
    at = data.rfind(_END, -65_557)
    if at < 0 or len(data) < at + 22:
        raise ArchiveRefused("package_damaged", "this is no package, or not all of it")
    size, _, comment = struct.unpack("<LLH", data[at + 12 : at + 22])
    if at + 22 + comment != len(data) or data[max(at - 20, 0) : at].startswith(_LOCATOR64):
        raise ArchiveRefused("package_damaged", "the package ends in a way that is not read here")
    if data.count(_ENTRY, max(at - size, 0), at) > caps.entries:
        raise ArchiveRefused("package_too_many", f"the package holds over {caps.entries} files")


def _named(infos: Iterable[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Give each file with its name, folders left out; a name that leads elsewhere is refused."""
    seen: set[str] = set()
    for info in infos:
        name = check_member_name(info.orig_filename, seen)
        _refuse_specials(info)
        if not name.endswith("/"):
            yield name, info


def _refuse_specials(info: zipfile.ZipInfo) -> None:
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveRefused("package_link", "the package holds a link or a device")
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveRefused("package_encrypted", "a file in the package is encrypted")
    if info.compress_type not in _METHODS:
        raise ArchiveRefused(
            "package_compression", "a file is packed by a method that is not read here"
        )


def _weigh(infos: Iterable[zipfile.ZipInfo], caps: ArchiveLimits) -> None:
    total = 0
    for info in infos:
        total += info.file_size
        dense = info.file_size > caps.ratio * max(info.compress_size, 1)
        if info.file_size > caps.member or (info.file_size > caps.small and dense):
            raise ArchiveRefused("package_expands", "a file in the package unpacks to too much")
    if total > caps.unpacked:
        raise ArchiveRefused("package_expands", "the package unpacks to too much")


def _refuse_overlaps(data: bytes, archive: zipfile.ZipFile) -> None:
    """Refuse members that share bytes: few packed bytes would be unpacked many times over."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda member: member.header_offset):
        at = info.header_offset
        if at < end or data[at : at + 4] != SIGNATURE:
            raise ArchiveRefused("package_damaged", "files in the package lie upon each other")
        name, extra = struct.unpack("<HH", data[at + 26 : at + 30])
        end = at + 30 + name + extra + info.compress_size
    if end > archive.start_dir:
        raise ArchiveRefused("package_damaged", "files in the package lie upon its list")
