"""From the bytes that somebody sent to a parcel: which format it is, and how large it may be."""

from typing import Final

from quizzes.formats import FORMATS, detect_format
from quizzes.formats.contract import Format, ParsedFile
from quizzes.formats.parsing.failures import read_file
from quizzes.formats.parsing.language_detection import assign_languages
from quizzes.lib.errors import Invalid

MAX_UPLOAD_BYTES: Final = 50_000_000
"""Bytes; formats have lower bounds of their own for what is inside."""


def resolve_format(data: bytes, filename: str, name: str = "") -> Format:
    """Give the format of this name, else the one that claims the file; none: Invalid."""
    if len(data) > MAX_UPLOAD_BYTES:
        raise Invalid("file_too_large", size=len(data), maximum=MAX_UPLOAD_BYTES)
    file_format = FORMATS.get(name) if name else detect_format(data, filename)
    if file_format is None:
        raise Invalid("format_unknown", format=name, formats=tuple(FORMATS))
    return file_format


def parse_upload(
    data: bytes, filename: str, *, format_: str = "", language: str = ""
) -> ParsedFile:
    """Read a file; what is wrong in it is in the parcel, what is no file of ours is Invalid."""
    return parse_as(resolve_format(data, filename, format_), data, language)


def parse_as(form: Format, data: bytes, language: str = "") -> ParsedFile:
    """Return what a file of this format holds; a reader that raises refuses the file.

    Who names no language leaves it to each question to tell.
    """

    def read_whole() -> ParsedFile:
        parcel = form.read(data, language=language)
        return parcel if language or parcel.slug else assign_languages(parcel)

    return read_file(read_whole, form.name)
