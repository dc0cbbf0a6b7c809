"""Workbooks are packages of XML: weighed and looked through before any library opens them."""

from xml.parsers import expat

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.limits import ArchiveLimits
from quizzes.formats.parsing.packages import Package, open_package

CAPS = ArchiveLimits(
    packed=32 * 1024 * 1024,
    entries=1_000,
    unpacked=64 * 1024 * 1024,
    member=48 * 1024 * 1024,
    depth=1,
)
DEEPEST = 40
MOST_ELEMENTS = 4_000_000
MOST_ELEMENTS_ELSEWHERE = 200_000
"""In what is read as one tree: all but sheets and the list of their texts."""
_STREAMED = ("xl/worksheets/", "xl/sharedStrings")
_ENCODINGS = {None, "utf-8", "utf-16", "us-ascii"}


class _Refused(Exception):
    """The package is not opened."""


def cautiously(data: bytes) -> Package | FileError:
    """Open a workbook's package; what would hurt its reader: FileError."""
    package = open_package(data, CAPS)
    if isinstance(package, FileError):
        return package
    for name in package.names:
        content = package.read(name)
        if isinstance(content, FileError):
            return content
        most = MOST_ELEMENTS if name.startswith(_STREAMED) else MOST_ELEMENTS_ELSEWHERE
        try:
            _Look(most).through(content)
        except _Refused as refused:
            return FileError(1, name, "workbook_unsafe", str(refused))
    return package


class _Look:
    """Goes through a file as far as it is XML: its types, depth and size."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._depth = self._count = 0

    def through(self, content: bytes) -> None:
        """Look at all of it; what is no XML (a picture) ends where it is none."""
        parser = expat.ParserCreate()
        parser.XmlDeclHandler = self._declared
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        try:
            parser.Parse(content, True)  # noqa: FBT003  expat takes it by place
        except (expat.ExpatError, LookupError, ValueError):
            return

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        if (encoding and encoding.lower()) not in _ENCODINGS:
            raise _Refused("a file in the workbook is of a rare encoding")

    def _doctype(self, *_: object) -> None:
        raise _Refused("document types and entities are not read here")

    def _start(self, _name: str, _attributes: object) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > DEEPEST or self._count > self._most:
            raise _Refused("a file in the workbook is nested or filled too much")

    def _end(self, _name: str) -> None:
        self._depth -= 1
