"""The package around a collection: which collection counts, and the files that notes show."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import unquote

import zstandard

from quizzes.formats.apkg.database import BIGGEST, UnreadablePackage
from quizzes.formats.apkg.protobuf import parse_fields, read_field
from quizzes.formats.contract import FileError
from quizzes.formats.parsing.media import store_media
from quizzes.formats.parsing.packages import Package, is_zip, open_package
from quizzes.lib.archives.limits import ARCHIVE_LIMITS

_NEWEST = "collection.anki21b"
_COLLECTIONS = (_NEWEST, "collection.anki21", "collection.anki2")
"""The newest first: an older one beside it may be there only to say so."""
_MOST_MEDIA = 100 * 1024 * 1024
"""Bytes of all files together, unpacked."""
TOO_NEW = (
    "this export can be read by newer versions of Anki alone: export it again with the switch"
    " “Support older Anki versions” set"
)
_WINDOW = 32 * 1024 * 1024
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


@dataclass(slots=True)
class AnkiPackage:
    """A package whose collection is known; files are unpacked as they are asked for."""

    member: str
    collection: bytes
    media: dict[str, bytes] = field(default_factory=dict)
    unused: set[str] = field(default_factory=set)  # names of files that nothing has shown yet
    _package: Package = field(kw_only=True)
    _members: Mapping[str, str] = field(default_factory=dict)  # name → member
    _names: dict[str, str] = field(default_factory=dict)
    _bytes_left: int = _MOST_MEDIA

    @property
    def is_newest(self) -> bool:
        """Return whether its collection has the newest schema, and its files are compressed."""
        return self.member == _NEWEST

    def find_media(self, address: str) -> str:
        """Return the name that a file which a note shows has with us; "" if it is not there."""
        name = next((name for name in (address, unquote(address)) if name in self._members), "")
        if name and name not in self._names:
            self._names[name] = self._store(name)
            self.unused.discard(name)
        return self._names.get(name, "")

    def _store(self, name: str) -> str:
        data = self._package.read(self._members[name])
        if isinstance(data, FileError):
            return ""
        if self.is_newest:
            try:
                data = decompress(data, self._bytes_left)
            except UnreadablePackage:
                return ""
        self._bytes_left -= len(data)
        return store_media(self.media, name, data) if self._bytes_left >= 0 else ""


def has_collection(data: bytes) -> bool:
    """Return whether this is a package with a collection."""
    if not is_zip(data):
        return False
    package = open_package(data)
    return isinstance(package, Package) and not set(_COLLECTIONS).isdisjoint(package.names)


def open_anki_package(data: bytes) -> AnkiPackage:
    """Open a package; one that cannot be read: UnreadablePackage."""
    package = open_package(data)
    if isinstance(package, FileError):
        raise UnreadablePackage(package.code, package.message, package.where)
    member = next((name for name in _COLLECTIONS if name in package.names), "")
    if not member:
        raise UnreadablePackage("collection_missing", "the package holds no collection")
    collection = package.read(member)
    if isinstance(collection, FileError):
        raise UnreadablePackage(collection.code, collection.message, collection.where)
    is_newest = member == _NEWEST
    members = _list_media(package, is_newest=is_newest)
    if is_newest:
        collection = decompress(collection, BIGGEST)
    return AnkiPackage(member, collection, unused=set(members), _package=package, _members=members)


def decompress(data: bytes, most: int) -> bytes:
    """Decompress a Zstandard frame; no frame, or more than `most` bytes: UnreadablePackage."""
    if not data.startswith(_ZSTANDARD):
        raise UnreadablePackage("export_too_new", TOO_NEW)
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(BytesIO(data))
        content = reader.read(most + 1)
    except zstandard.ZstdError:
        raise UnreadablePackage("export_too_new", TOO_NEW) from None
    if len(content) > min(most, max(ARCHIVE_LIMITS.small, ARCHIVE_LIMITS.ratio * len(data))):
        message = "a file in the package unpacks to too much"
        raise UnreadablePackage("package_expands", message)
    return content


def _list_media(package: Package, *, is_newest: bool) -> dict[str, str]:
    """Return the members of files by their names; an unreadable list names none."""
    data = package.read("media")
    if isinstance(data, FileError):
        return {}
    try:
        if not is_newest:
            return {str(name): str(member) for member, name in json.loads(data).items()}
        fields = parse_fields(decompress(data, BIGGEST))
        files = (file for number, file in fields if number == 1 and isinstance(file, bytes))
        return {read_field(file, 1, b"").decode(): str(place) for place, file in enumerate(files)}
    except (UnreadablePackage, ValueError, AttributeError, RecursionError):
        return {}
