"""The package around an H5P: what it says of itself, its content, and the files it shows."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.json_tree import Value, parse
from quizzes.formats.parsing.media import store_media
from quizzes.formats.parsing.packages import Package, is_zip, open_package

ABOUT = "h5p.json"
CONTENT = "content/content.json"
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(slots=True)
class Box:
    """A package that was opened: `about` and `content` as they stand in its two documents."""

    about: Value
    content: Value
    _package: Package
    media: dict[str, bytes] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def file(self, address: str) -> str:
        """Give the name in the parcel of a file that is shown; "" if it did not come along."""
        path = unquote(address.partition("#")[0]).removeprefix("./")
        member = f"content/{path}"
        if not path or _ELSEWHERE.match(path) or member not in self._package.names:
            return ""
        if member not in self._names:
            data = self._package.read(member)
            found = "" if isinstance(data, FileError) else store_media(self.media, path, data)
            self._names[member] = found
        return self._names[member]


def holds(data: bytes) -> bool:
    """Tell whether this is such a package."""
    if not is_zip(data):
        return False
    package = open_package(data)
    return isinstance(package, Package) and ABOUT in package.names


def box(data: bytes) -> Box | FileError:
    """Open a package, or say why not."""
    package = open_package(data)
    if isinstance(package, FileError):
        return package
    about, content = _document(package, ABOUT), _document(package, CONTENT)
    if isinstance(about, FileError):
        return about
    return content if isinstance(content, FileError) else Box(about, content, package)


def lines(data: bytes, member: str) -> Sequence[str]:
    """Give the lines of the content, laid out as its items count them."""
    package = open_package(data)
    held = package.read(CONTENT) if isinstance(package, Package) and member == CONTENT else b""
    if isinstance(held, FileError) or isinstance(parse(held), FileError):
        return []
    return decode(laid_out(held))[0].split("\n")


def laid_out(data: bytes) -> bytes:
    """Give a document that is on one line with a line for each value; any other as it is."""
    if b"\n" in data.strip():
        return data
    found = json.loads(decode(data)[0])
    return json.dumps(found, indent=2, ensure_ascii=False).encode("utf-8", "replace")


def _document(package: Package, member: str) -> Value | FileError:
    data = package.read(member)
    if isinstance(data, FileError):
        return data
    found = parse(data)
    if isinstance(found, FileError):
        return replace(found, where=member)
    return _again(data, found)


def _again(data: bytes, found: Value) -> Value:
    """Read what was on one line again as it is laid out, for its lines; too much stays as it is."""
    laid = laid_out(data)
    again = found if laid == data else parse(laid)
    return found if isinstance(again, FileError) else again
