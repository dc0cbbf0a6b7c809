"""The package around a collection: which collection counts, and the files that notes show."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import unquote

import zstandard

from quizzes.formats.apkg import wire
from quizzes.formats.apkg.database import BIGGEST, Broken, broken
from quizzes.formats.contract import FileError
from quizzes.formats.parsing.limits import ARCHIVE_LIMITS
from quizzes.formats.parsing.media import store_media
from quizzes.formats.parsing.packages import Package, is_zip, open_package

NEWEST = "collection.anki21b"
COLLECTIONS = (NEWEST, "collection.anki21", "collection.anki2")
"""The newest first: an older one beside it may be there only to say so."""
MOST_MEDIA = 100 * 1024 * 1024
"""Bytes of all files together, unpacked."""
TOO_NEW = (
    "this export can be read by newer versions of Anki alone: export it again with the switch"
    " “Support older Anki versions” set"
)
_WINDOW = 32 * 1024 * 1024
_PACKED = b"\x28\xb5\x2f\xfd"


@dataclass(slots=True)
class Box:
    """A package whose collection is known; files come out of it as they are asked for."""

    member: str
    collection: bytes
    media: dict[str, bytes] = field(default_factory=dict)
    unused: set[str] = field(default_factory=set)  # names of files that nothing has shown yet
    _package: Package = field(kw_only=True)
    _listed: Mapping[str, str] = field(default_factory=dict)  # name → member
    _names: dict[str, str] = field(default_factory=dict)
    _left: int = MOST_MEDIA

    def file(self, address: str) -> str:
        """Give the name in the parcel of a file that a note shows; "" if it did not come along."""
        wanted = next((one for one in (address, unquote(address)) if one in self._listed), "")
        if wanted and wanted not in self._names:
            self._names[wanted] = self._kept(wanted)
            self.unused.discard(wanted)
        return self._names.get(wanted, "")

    def _kept(self, name: str) -> str:
        data = self._package.read(self._listed[name])
        if isinstance(data, FileError):
            return ""
        if self.member == NEWEST:
            try:
                data = expanded(data, self._left)
            except Broken:
                return ""
        self._left -= len(data)
        return store_media(self.media, name, data) if self._left >= 0 else ""


def holds(data: bytes) -> bool:
    """Tell whether this is a package with a collection."""
    if not is_zip(data):
        return False
    package = open_package(data)
    return isinstance(package, Package) and any(one in package.names for one in COLLECTIONS)


def box(data: bytes) -> Box:
    """Open a package; one that cannot be read: Broken."""
    package = open_package(data)
    if isinstance(package, FileError):
        raise Broken(package)
    member = next((one for one in COLLECTIONS if one in package.names), "")
    if not member:
        raise broken("collection_missing", "the package holds no collection")
    held = package.read(member)
    if isinstance(held, FileError):
        raise Broken(held)
    listed = _listed(package, newest=member == NEWEST)
    found = expanded(held, BIGGEST) if member == NEWEST else held
    return Box(member, found, unused=set(listed), _package=package, _listed=listed)


def expanded(data: bytes, most: int) -> bytes:
    """Unpack a frame to so many bytes at most; what is none, or more: Broken."""
    if not data.startswith(_PACKED):
        raise broken("export_too_new", TOO_NEW)
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(BytesIO(data))
        found = reader.read(most + 1)
    except zstandard.ZstdError:
        raise broken("export_too_new", TOO_NEW) from None
    dense = len(found) > max(ARCHIVE_LIMITS.small, ARCHIVE_LIMITS.ratio * len(data))
    if len(found) > most or dense:
        raise broken("package_expands", "a file in the package unpacks to too much")
    return found


def _listed(package: Package, *, newest: bool) -> dict[str, str]:
    """Give the names of files by the members that hold them; an unreadable list names none."""
    data = package.read("media")
    if isinstance(data, FileError):
        return {}
    try:
        if newest:
            return dict(_of_wire(expanded(data, BIGGEST)))
        return {str(name): str(member) for member, name in json.loads(data).items()}
    except (Broken, ValueError, AttributeError, RecursionError):
        return {}


def _of_wire(data: bytes) -> list[tuple[str, str]]:
    entries = (one for number, one in wire.fields(data) if number == 1 and isinstance(one, bytes))
    return [(wire.held(one, 1).decode(), str(place)) for place, one in enumerate(entries)]
