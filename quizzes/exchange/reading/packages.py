"""Packages (zip): read without trust and without a file system, written the same every time. Pure.

What a package says of itself is weighed before a byte is unpacked; what it unpacks to is never
more than it said, as far as the caps allow.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO

from quizzes.exchange.contract import Trouble

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
class Caps:
    """How much a package may be: bytes as it comes, bytes unpacked, in all and a member."""

    packed: int = 64 * 1024 * 1024
    entries: int = 5_000
    unpacked: int = 150 * 1024 * 1024
    member: int = 50 * 1024 * 1024
    ratio: int = 200  # unpacked to packed, of members over `small`
    small: int = 1024 * 1024
    depth: int = 2  # a package within a package, and no further


CAPS = Caps()


@dataclass(slots=True)
class _Refused(Exception):
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was weighed and found fit; nothing of it is unpacked until it is read."""

    names: tuple[str, ...]  # of its files, in their order
    _zip: zipfile.ZipFile = field(repr=False)
    _infos: dict[str, zipfile.ZipInfo] = field(repr=False)
    _caps: Caps = CAPS

    def read(self, name: str) -> bytes | Trouble:
        """Unpack one member; a trouble if there is none of this name, or it is damaged."""
        info = self._infos.get(name)
        if info is None:
            return Trouble(1, name, "member_missing", "the package holds no such file")
        try:
            return self._zip.read(info)
        except _ERRORS:
            return Trouble(1, name, "package_damaged", "this file in the package is damaged")

    def members(self) -> Iterator[tuple[str, bytes | Trouble]]:
        """Unpack all members in their order, one at a time."""
        return ((name, self.read(name)) for name in self.names)

    def within(self, name: str) -> "Package | Trouble":
        """Open a package within this one; what both unpack to is capped together."""
        data = self.read(name)
        if isinstance(data, Trouble):
            return data
        if self._caps.depth <= 1:
            return Trouble(1, name, "package_too_deep", "packages are nested too deeply")
        left = self._caps.unpacked - sum(info.file_size for info in self._infos.values())
        return opened(data, replace(self._caps, unpacked=left, depth=self._caps.depth - 1))


def claimed(data: bytes) -> bool:
    """Tell whether these bytes begin as a package does."""
    return data.startswith((SIGNATURE, _END))


def opened(data: bytes, caps: Caps = CAPS) -> Package | Trouble:
    """Open a package, or say why not; nothing is unpacked yet."""
    try:
        _weigh_directory(data, caps)
        archive = zipfile.ZipFile(BytesIO(data))
        infos = dict(_named(archive.infolist()))
        _weigh(infos.values(), caps)
        _refuse_overlaps(data, archive)
    except _Refused as refused:
        return Trouble(1, "", refused.code, refused.message)
    except _ERRORS:
        return Trouble(1, "", "package_damaged", "the package is damaged")
    return Package(tuple(infos), archive, infos, caps)


def packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Write (name, bytes) as a package: the same members give the same bytes, whenever."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return held.getvalue()


def _weigh_directory(data: bytes, caps: Caps) -> None:
    """Count the entries by their signatures, for to list a hundred thousand takes seconds."""
    if len(data) > caps.packed:
        raise _Refused("package_too_big", f"the package is over {caps.packed} bytes")
    at = data.rfind(_END, -65_557)
    if at < 0 or len(data) < at + 22:
        raise _Refused("package_damaged", "this is no package, or not all of it")
    size, _, comment = struct.unpack("<LLH", data[at + 12 : at + 22])
    if at + 22 + comment != len(data) or data[max(at - 20, 0) : at].startswith(_LOCATOR64):
        raise _Refused("package_damaged", "the package ends in a way that is not read here")
    if data.count(_ENTRY, max(at - size, 0), at) > caps.entries:
        raise _Refused("package_too_many", f"the package holds over {caps.entries} files")


def _named(infos: Iterable[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Give each file with its name, folders left out; a name that leads elsewhere is refused."""
    seen: set[str] = set()
    for info in infos:
        name = info.orig_filename.replace("\\", "/")
        parts = name.removesuffix("/").split("/")
        if name.startswith("/") or name[1:2] == ":" or "\0" in name or {"", ".", ".."} & {*parts}:
            raise _Refused("package_unsafe_name", "a name in the package leads out of it")
        if name in seen:
            raise _Refused("package_duplicate_name", "two files in the package have one name")
        seen.add(name)
        _refuse_specials(info)
        if not name.endswith("/"):
            yield name, info


def _refuse_specials(info: zipfile.ZipInfo) -> None:
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise _Refused("package_link", "the package holds a link or a device")
    if info.flag_bits & _ENCRYPTED:
        raise _Refused("package_encrypted", "a file in the package is encrypted")
    if info.compress_type not in _METHODS:
        raise _Refused("package_compression", "a file is packed by a method that is not read here")


def _weigh(infos: Iterable[zipfile.ZipInfo], caps: Caps) -> None:
    total = 0
    for info in infos:
        total += info.file_size
        dense = info.file_size > caps.ratio * max(info.compress_size, 1)
        if info.file_size > caps.member or (info.file_size > caps.small and dense):
            raise _Refused("package_expands", "a file in the package unpacks to too much")
    if total > caps.unpacked:
        raise _Refused("package_expands", "the package unpacks to too much")


def _refuse_overlaps(data: bytes, archive: zipfile.ZipFile) -> None:
    """Refuse members that share bytes: few packed bytes would be unpacked many times over."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda one: one.header_offset):
        at = info.header_offset
        if at < end or data[at : at + 4] != SIGNATURE:
            raise _Refused("package_damaged", "files in the package lie upon each other")
        name, extra = struct.unpack("<HH", data[at + 26 : at + 30])
        end = at + 30 + name + extra + info.compress_size
    if end > archive.start_dir:
        raise _Refused("package_damaged", "files in the package lie upon its list")
