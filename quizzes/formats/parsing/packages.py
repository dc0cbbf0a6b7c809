"""Read untrusted zip and tar.gz packages in memory; write zip packages reproducibly. Pure.

The directory of a package is checked against the limits before anything is unpacked.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO

from quizzes.formats.contract import FileError
from quizzes.lib.archives import tarballs
from quizzes.lib.archives.limits import (
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


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """A package within the limits; a member is unpacked when it is read."""

    names: tuple[str, ...]  # of its files, in their order
    _unpack: Callable[[str], bytes] = field(repr=False)
    _total: int  # bytes that all of it unpacks to
    _limits: ArchiveLimits = ARCHIVE_LIMITS

    def read(self, name: str) -> bytes | FileError:
        """Return the bytes of a member, or an error if it is missing or damaged."""
        try:
            return self._unpack(name)
        except KeyError:
            return FileError(1, name, "member_missing", "the package holds no such file")
        except _ERRORS:
            return FileError(1, name, "package_damaged", "this file in the package is damaged")

    def members(self) -> Iterator[tuple[str, bytes | FileError]]:
        """Yield the name and bytes of each member, in their order."""
        return ((name, self.read(name)) for name in self.names)

    def open_nested(self, name: str) -> "Package | FileError":
        """Return a package within this one; both share the limit on unpacked bytes."""
        return _open_nested(self, name)

    @property
    def nested_limits(self) -> ArchiveLimits:
        """Return the limits of a package within this one; a depth of 0 allows none."""
        remaining = self._limits.unpacked - self._total
        return replace(self._limits, unpacked=remaining, depth=self._limits.depth - 1)


@lru_cache(maxsize=2)  # each item asks for the lines that it was read from
def _open_nested(package: Package, name: str) -> Package | FileError:
    data = package.read(name)
    if isinstance(data, FileError):
        return data
    limits = package.nested_limits
    if limits.depth < 1:
        return FileError(1, name, "package_too_deep", "packages are nested too deeply")
    return open_package(data, limits)


def is_zip(data: bytes) -> bool:
    """Return whether these bytes begin as a zip package."""
    return data.startswith((SIGNATURE, _END))


def is_package_with(data: bytes, beginning: str) -> bool:
    """Return whether a member of this package itself, of none within it, begins so."""
    package = open_package(data)
    return isinstance(package, Package) and any(
        name.startswith(beginning) for name in package.names
    )


def is_tarball(data: bytes) -> bool:
    """Return whether these bytes begin as a compressed archive (.tar.gz)."""
    return data.startswith(tarballs.SIGNATURE)


@lru_cache(maxsize=2)  # listing 5,000 files takes 50 ms, and each item asks for its lines
def open_package(data: bytes, limits: ArchiveLimits = ARCHIVE_LIMITS) -> Package | FileError:
    """Return the package, or the error that keeps it closed; a tar.gz is unpacked at once."""
    try:
        return _open_tarball(data, limits) if is_tarball(data) else _open_zip(data, limits)
    except ArchiveRefused as unfit:
        return FileError(1, "", unfit.code, unfit.message)
    except _ERRORS:
        return FileError(1, "", "package_damaged", "the package is damaged")


def _open_tarball(data: bytes, limits: ArchiveLimits) -> Package:
    members = tarballs.read_members(data, limits)
    total = sum(map(len, members.values()))
    return Package(tuple(members), lambda name: bytes(members[name]), total, limits)


def _open_zip(data: bytes, limits: ArchiveLimits) -> Package:
    _check_directory(data, limits)
    archive = zipfile.ZipFile(BytesIO(data))
    infos = dict(_iterate_files(archive.infolist()))
    _check_sizes(infos.values(), limits)
    _refuse_overlaps(data, archive)
    total = sum(info.file_size for info in infos.values())
    return Package(tuple(infos), lambda name: archive.read(infos[name]), total, limits)


def write_zip(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip package of (name, bytes); the same members always give the same bytes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _check_directory(data: bytes, limits: ArchiveLimits) -> None:
    """Count the entries by their signatures, because listing 100,000 of them takes seconds."""
    if len(data) > limits.packed:
        raise ArchiveRefused("package_too_big", f"the package is over {limits.packed} bytes")
    at = data.rfind(_END, -65_557)
    if at < 0 or len(data) < at + 22:
        raise ArchiveRefused("package_damaged", "this is no package, or not all of it")
    size, _, comment = struct.unpack("<LLH", data[at + 12 : at + 22])
    if at + 22 + comment != len(data) or data[max(at - 20, 0) : at].startswith(_LOCATOR64):
        raise ArchiveRefused("package_damaged", "the package ends in a way that is not read here")
    if data.count(_ENTRY, max(at - size, 0), at) > limits.entries:
        raise ArchiveRefused("package_too_many", f"the package holds over {limits.entries} files")


def _iterate_files(infos: Iterable[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Yield each file with its name, without folders; an unsafe name is refused."""
    seen: set[str] = set()
    for info in infos:
        name = check_member_name(info.orig_filename, seen)
        _refuse_special(info)
        if not name.endswith("/"):
            yield name, info


def _refuse_special(info: zipfile.ZipInfo) -> None:
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveRefused("package_link", "the package holds a link or a device")
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveRefused("package_encrypted", "a file in the package is encrypted")
    if info.compress_type not in _METHODS:
        raise ArchiveRefused(
            "package_compression", "a file is packed by a method that is not read here"
        )


def _check_sizes(infos: Iterable[zipfile.ZipInfo], limits: ArchiveLimits) -> None:
    total = 0
    for info in infos:
        total += info.file_size
        is_dense = info.file_size > limits.ratio * max(info.compress_size, 1)
        if info.file_size > limits.member or (info.file_size > limits.small and is_dense):
            raise ArchiveRefused("package_expands", "a file in the package unpacks to too much")
    if total > limits.unpacked:
        raise ArchiveRefused("package_expands", "the package unpacks to too much")


def _refuse_overlaps(data: bytes, archive: zipfile.ZipFile) -> None:
    """Refuse members that share bytes: few packed bytes would be unpacked many times."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda member: member.header_offset):
        at = info.header_offset
        if at < end or data[at : at + 4] != SIGNATURE:
            raise ArchiveRefused("package_damaged", "files in the package overlap")
        name, extra = struct.unpack("<HH", data[at + 26 : at + 30])
        end = at + 30 + name + extra + info.compress_size
    if end > archive.start_dir:
        raise ArchiveRefused("package_damaged", "files in the package overlap its directory")
