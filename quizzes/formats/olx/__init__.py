"""OLX, the XML of Open edX: exported courses and libraries (.tar.gz, .zip), and single problems.

Problems that programs or formulas mark are told and refused: nothing of a file is ever run.
"""

from quizzes.formats.contract import ParsedFile
from quizzes.formats.olx.reading import is_ours, parcel
from quizzes.formats.parsing.contents import contains_document
from quizzes.formats.parsing.packages import is_tarball

name = "olx"
extensions = ("gz", "tgz", "zip", "xml", "olx")


def detect(data: bytes, filename: str) -> bool:
    """Tell by the first element, in a package by that of any file in it."""
    return filename.lower().endswith(extensions) and (
        is_tarball(data) or contains_document(data, is_ours)
    )


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a problem, or all problems of a course or library."""
    return parcel(data, language)
