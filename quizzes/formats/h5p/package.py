"""The package around an H5P: its metadata, its content, and the files that it shows."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.json_tree import JsonNode, parse
from quizzes.formats.parsing.media import store_media
from quizzes.formats.parsing.packages import Package, is_zip, open_package

METADATA = "h5p.json"
CONTENT = "content/content.json"
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(slots=True)
class H5pPackage:
    """A package that was opened, with its two documents; files that texts show go to `media`."""

    metadata: JsonNode
    content: JsonNode
    _package: Package
    media: dict[str, bytes] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def store_file(self, address: str) -> str:
        """Return the name among the media of a file that is shown; "" if it is not there."""
        path = unquote(address.partition("#")[0]).removeprefix("./")
        member = f"content/{path}"
        if not path or _ELSEWHERE.match(path) or member not in self._package.names:
            return ""
        if member not in self._names:
            content = self._package.read(member)
            if isinstance(content, FileError):
                return ""
            self._names[member] = store_media(self.media, path, content)
        return self._names[member]


def is_h5p(data: bytes) -> bool:
    """Return whether this is such a package."""
    package = open_package(data) if is_zip(data) else None
    return isinstance(package, Package) and METADATA in package.names


def open_h5p(data: bytes) -> H5pPackage | FileError:
    """Return a package, or why it cannot be opened."""
    package = open_package(data)
    if isinstance(package, FileError):
        return package
    metadata, content = _parse_document(package, METADATA), _parse_document(package, CONTENT)
    if isinstance(metadata, FileError):
        return metadata
    return content if isinstance(content, FileError) else H5pPackage(metadata, content, package)


def lines(data: bytes, member: str) -> Sequence[str]:
    """Return the lines of the content, laid out as its items count them."""
    package = open_package(data)
    if isinstance(package, FileError) or member != CONTENT:
        return []
    content = package.read(CONTENT)
    if isinstance(content, FileError) or isinstance(parse(content), FileError):
        return []
    return decode(_break_lines(content))[0].split("\n")


def _parse_document(package: Package, member: str) -> JsonNode | FileError:
    """Parse a document; one on a single line again as it is laid out, for its lines."""
    data = package.read(member)
    if isinstance(data, FileError):
        return data
    root = parse(data)
    if isinstance(root, FileError):
        return replace(root, where=member)
    laid_out = _break_lines(data)
    again = root if laid_out == data else parse(laid_out)
    return root if isinstance(again, FileError) else again  # too much stays as it is


def _break_lines(data: bytes) -> bytes:
    """Return a document that is on one line with a line for each value; any other as it is."""
    if b"\n" in data.strip():
        return data
    return json.dumps(json.loads(decode(data)[0]), indent=2, ensure_ascii=False).encode(
        "utf-8", "replace"
    )
