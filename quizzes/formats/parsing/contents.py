"""Content packages of learning platforms: the documents in them and the media they show. Pure.

A single document is read as a package with one member.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from quizzes.formats.contract import FileError, Note
from quizzes.formats.parsing.manifest import MANIFEST_NAME, parse_manifest
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.parsing.packages import Package, is_tarball, is_zip, open_package
from quizzes.lib.html_conversion import FindMedia

_BASE = re.compile(
    r"\$?IMS[_-]CC[_-]FILE[_-]?BASE\$|%24IMS[_-]CC[_-]FILE[_-]?BASE%24", re.IGNORECASE
)
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_SYSTEM_FILE = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|\._)")
_PACKAGE_SUFFIXES = (".zip", ".imscc")
_SUFFIX = re.compile(r"\.([a-z0-9]{1,5})$", re.IGNORECASE)
IsWanted = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class PackageDocument:
    """A document: the path of its member ("" for a single file), its media, its tags."""

    member: str
    data: bytes
    media: FindMedia
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class PackageContents:
    """The contents of a file; all fields fill while its documents are iterated."""

    title: str = ""
    media: dict[str, bytes] = field(default_factory=dict)
    ignored: list[Note] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)
    _media_names: dict[str, str] = field(default_factory=dict)  # by the path of the member

    def iterate_documents(self, data: bytes, is_wanted: IsWanted) -> Iterator[PackageDocument]:
        """Yield each wanted document; other members are noted as ignored."""
        if not is_zip(data) and not is_tarball(data):
            yield PackageDocument("", data, lambda _address: "")
            return
        package = open_package(data)
        if isinstance(package, FileError):
            self.errors.append(package)
        else:
            yield from self._iterate_package(package, "", is_wanted)

    def _iterate_package(
        self, package: Package, parent: str, is_wanted: IsWanted
    ) -> Iterator[PackageDocument]:
        others: list[str] = []
        tags = self._read_manifest(package)
        for name, data in package.members():
            if _SYSTEM_FILE.search(name):
                continue
            if isinstance(data, FileError):
                self.ignored.append(Note(data.code, 1, parent + name))
            elif name.lower().endswith(_PACKAGE_SUFFIXES):
                nested = package.open_nested(name)
                if isinstance(nested, FileError):
                    self.ignored.append(Note(nested.code, 1, parent + name))
                else:
                    yield from self._iterate_package(nested, f"{parent}{name}/", is_wanted)
            elif is_wanted(data):
                media = self._build_media(package, parent, name)
                yield PackageDocument(parent + name, data, media, tags.get(name, ()))
            else:
                others.append(name)
        self.ignored += [
            Note("member_not_read", 1, parent + name)
            for name in others
            if parent + name not in self._media_names and not name.endswith(MANIFEST_NAME)
        ]

    def _read_manifest(self, package: Package) -> Mapping[str, tuple[str, ...]]:
        data = package.read(MANIFEST_NAME)
        if isinstance(data, FileError):
            return {}
        manifest = parse_manifest(data, package.names)
        self.title = self.title or manifest.title
        return manifest.tags

    def _build_media(self, package: Package, parent: str, member: str) -> FindMedia:
        def add_media(address: str) -> str:
            name = _resolve_address(package, member, address)
            if name and parent + name not in self._media_names:
                data = package.read(name)
                if isinstance(data, FileError):
                    return ""
                self._media_names[parent + name] = media_name = self._build_media_name(name)
                self.media[media_name] = data
            return self._media_names.get(parent + name, "") if name else ""

        return add_media

    def _build_media_name(self, member: str) -> str:
        match = _SUFFIX.search(member)
        suffix = match[0].lower() if match else ""
        stem = slugify(posixpath.basename(member).removesuffix(match[0] if match else "")) or "file"
        number, name = 2, stem + suffix
        while name in self.media:
            number, name = number + 1, f"{stem}-{number}{suffix}"
        return name


def _resolve_address(package: Package, member: str, address: str) -> str:
    """Return the member that an address in `member` means; "" if there is none.

    The address is relative to the document, or to the package, or the end of one member's path.
    """
    path = unquote(_BASE.sub("", address).partition("?")[0].partition("#")[0])
    if not path or _EXTERNAL.match(path):
        return ""
    path = posixpath.normpath(path.replace("\\", "/").lstrip("/"))
    relative = posixpath.normpath(posixpath.join(posixpath.dirname(member), path))
    for name in (relative, path):
        if name in package.names:
            return name
    names = [name for name in package.names if name.endswith(f"/{path}")]
    return names[0] if len(names) == 1 else ""


def contains_document(data: bytes, is_wanted: IsWanted) -> bool:
    """Return whether this is a wanted document, or a package with one in it."""
    if not is_zip(data):
        return is_wanted(data)
    return next(PackageContents().iterate_documents(data, is_wanted), None) is not None
