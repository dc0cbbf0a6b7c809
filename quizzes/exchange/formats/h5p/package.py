"""The package around an H5P: what it says of itself, its content, and the files it shows."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from quizzes.exchange.contract import Trouble
from quizzes.exchange.reading.json_tree import Value, parse
from quizzes.exchange.reading.media import keep
from quizzes.exchange.reading.packages import Package, claimed, opened

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
            found = "" if isinstance(data, Trouble) else keep(self.media, path, data)
            self._names[member] = found
        return self._names[member]


def holds(data: bytes) -> bool:
    """Tell whether this is such a package."""
    if not claimed(data):
        return False
    package = opened(data)
    return isinstance(package, Package) and ABOUT in package.names


def box(data: bytes) -> Box | Trouble:
    """Open a package, or say why not."""
    package = opened(data)
    if isinstance(package, Trouble):
        return package
    about, content = _document(package, ABOUT), _document(package, CONTENT)
    if isinstance(about, Trouble):
        return about
    return content if isinstance(content, Trouble) else Box(about, content, package)


def _document(package: Package, member: str) -> Value | Trouble:
    data = package.read(member)
    found = data if isinstance(data, Trouble) else parse(data)
    if isinstance(found, Trouble):
        return Trouble(found.line, member, found.code, found.message)
    return found
