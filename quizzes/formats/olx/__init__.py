"""OLX, the XML of Open edX: exported courses and libraries (.tar.gz, .zip), and single problems.

Problems that programs or formulas mark are told and refused: nothing of a file is ever run.
"""

from quizzes.formats.contract import ParsedFile
from quizzes.formats.olx.reading import is_ours, parcel
from quizzes.formats.parsing.contents import holds
from quizzes.formats.parsing.packages import on_tape

name = "olx"
extensions = ("gz", "tgz", "zip", "xml", "olx")


def detect(data: bytes, filename: str) -> bool:
    """Tell by the first element, in a package by that of any file in it."""
    return filename.lower().endswith(extensions) and (on_tape(data) or holds(data, is_ours))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a problem, or all problems of a course or library."""
    return parcel(data, language)
