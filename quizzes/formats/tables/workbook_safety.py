"""Workbooks are packages of XML: measured and searched before any library opens them."""

from functools import lru_cache
from xml.parsers import expat

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.packages import Package, open_package
from quizzes.formats.parsing.reading_limits import check_cell_count
from quizzes.lib.archives.limits import ArchiveLimits

WORKBOOK_LIMITS = ArchiveLimits(
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


class UnsafeWorkbook(Exception):
    """The package is not opened."""


@lru_cache(maxsize=1)  # each format that might be meant opens it, and then the one that is
def open_workbook(data: bytes) -> Package | FileError:
    """Open a workbook's package; what would hurt its reader: FileError."""
    package = open_package(data, WORKBOOK_LIMITS)
    if isinstance(package, FileError):
        return package
    for name, content in package.members():
        if isinstance(content, FileError):
            return content
        most = MOST_ELEMENTS if name.startswith(_STREAMED) else MOST_ELEMENTS_ELSEWHERE
        try:
            _XmlCheck(most).read(content)
        except UnsafeWorkbook as error:
            return FileError(1, name, "workbook_unsafe", str(error))
    return package


class _XmlCheck:
    """Checks a file as far as it is XML: its types, depth and size."""

    def __init__(self, most_elements: int) -> None:
        self._most_elements = most_elements
        self._depth = self._elements = self.cells = 0

    def read(self, content: bytes) -> None:
        """Read all of it; what is not XML (a picture) ends where it is none."""
        parser = expat.ParserCreate()
        parser.XmlDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        try:
            parser.Parse(content, True)  # noqa: FBT003  expat takes it by place
        except (expat.ExpatError, LookupError, ValueError):
            return

    def _declare(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if (encoding and encoding.lower()) not in _ENCODINGS:
            raise UnsafeWorkbook("a file in the workbook is of a rare encoding")

    def _refuse_doctype(self, *_: object) -> None:
        raise UnsafeWorkbook("document types and entities are not read here")

    def _start(self, name: str, _attributes: object) -> None:
        self.cells += name == "c" or name.endswith(":c")
        check_cell_count(self.cells)
        self._depth += 1
        self._elements += 1
        if self._depth > DEEPEST or self._elements > self._most_elements:
            raise UnsafeWorkbook("a file in the workbook is nested or filled too much")

    def _end(self, _name: str) -> None:
        self._depth -= 1
