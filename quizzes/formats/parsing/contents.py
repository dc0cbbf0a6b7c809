"""Content packages of learning platforms: the documents in them, and the media these show. Pure.

A single document goes the same way, as a package of one.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from quizzes.formats.contract import FileError, Note
from quizzes.formats.html import FindMedia
from quizzes.formats.parsing.manifest import NAME, Manifest, manifest
from quizzes.formats.parsing.naming import slug
from quizzes.formats.parsing.packages import Package, claimed, on_tape, opened

_BASE = re.compile(
    r"\$?IMS[_-]CC[_-]FILE[_-]?BASE\$|%24IMS[_-]CC[_-]FILE[_-]?BASE%24", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_OF_SYSTEMS = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|\._)")
_PACKAGES = (".zip", ".imscc")
_ENDING = re.compile(r"\.([a-z0-9]{1,5})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """One document: the member it is ("" for a single file), its bytes, and its pictures.

    `tags` are those that the package gives it.
    """

    member: str
    data: bytes
    media: FindMedia
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class Contents:
    """What is read from a file: its documents first; media and noise fill while they are read."""

    title: str = ""
    media: dict[str, bytes] = field(default_factory=dict)
    noise: list[Note] = field(default_factory=list)
    troubles: list[FileError] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def documents(self, data: bytes, wanted: Callable[[bytes], bool]) -> Iterator[Document]:
        """Give each document that is wanted; what else there is becomes noise."""
        if not claimed(data) and not on_tape(data):
            yield Document("", data, self._nothing)
            return
        package = opened(data)
        if isinstance(package, FileError):
            self.troubles.append(package)
            return
        yield from self._within(package, "", wanted)

    def _within(
        self, package: Package, above: str, wanted: Callable[[bytes], bool]
    ) -> Iterator[Document]:
        others: list[str] = []
        package_manifest = self._manifest(package)
        for name, data in package.members():
            if _OF_SYSTEMS.search(name):
                continue
            if isinstance(data, FileError):
                self.noise.append(Note(data.code, 1, above + name))
            elif name.lower().endswith(_PACKAGES):
                yield from self._nested(package, name, above, wanted)
            elif wanted(data):
                media = self._media(package, above, name)
                yield Document(above + name, data, media, package_manifest.tags.get(name, ()))
            else:
                others.append(name)
        self.noise += [
            Note("member_not_read", 1, above + name)
            for name in others
            if above + name not in self._names and not name.endswith(NAME)
        ]

    def _manifest(self, package: Package) -> Manifest:
        data = package.read(NAME)
        told = Manifest() if isinstance(data, FileError) else manifest(data, package.names)
        self.title = self.title or told.title
        return told

    def _nested(
        self, package: Package, name: str, above: str, wanted: Callable[[bytes], bool]
    ) -> Iterator[Document]:
        inner = package.within(name)
        if isinstance(inner, FileError):
            self.noise.append(Note(inner.code, 1, above + name))
        else:
            yield from self._within(inner, f"{above}{name}/", wanted)

    def _nothing(self, _address: str) -> str:
        return ""

    def _media(self, package: Package, above: str, member: str) -> FindMedia:
        def named(address: str) -> str:
            name = _found(package, member, address)
            return self._kept(package, above, name) if name else ""

        return named

    def _kept(self, package: Package, above: str, name: str) -> str:
        key = above + name
        if key not in self._names:
            data = package.read(name)
            if isinstance(data, FileError):
                return ""
            self._names[key] = self._free(name)
            self.media[self._names[key]] = data
        return self._names[key]

    def _free(self, name: str) -> str:
        ending = _ENDING.search(name)
        stem = slug(posixpath.basename(name)[: -len(ending[0])] if ending else name) or "file"
        tail = ending[0].lower() if ending else ""
        number, free = 2, stem + tail
        while free in self.media:
            number, free = number + 1, f"{stem}-{number}{tail}"
        return free


def _found(package: Package, member: str, address: str) -> str:
    """Give the member that an address means: beside the document, at the top, or where it ends."""
    path = unquote(_BASE.sub("", address).partition("?")[0].partition("#")[0])
    if not path or _ELSEWHERE.match(path):
        return ""
    path = posixpath.normpath(path.replace("\\", "/").lstrip("/"))
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(member), path))
    for one in (beside, path):
        if one in package.names:
            return one
    ends = [name for name in package.names if name.endswith(f"/{path}")]
    return ends[0] if len(ends) == 1 else ""


def holds(data: bytes, wanted: Callable[[bytes], bool]) -> bool:
    """Tell whether this is such a document, or a package with one in it."""
    return (
        next(Contents().documents(data, wanted), None) is not None
        if claimed(data)
        else wanted(data)
    )
