"""Bytes to text, whatever program saved them; notes say what was guessed or left out. Pure."""

import codecs
import re

from quizzes.formats.contract import Note

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNFIT = re.compile(f"{_CONTROLS.pattern}|[\ud800-\udfff]")


def decode(data: bytes) -> tuple[str, tuple[Note, ...]]:
    """Return the text, a line feed for every end of line; notes on what was guessed or removed.

    What is no UTF-8 is read as Windows-1252, as older programs of Western languages save.
    """
    text, notes = _decode(data)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if match := _CONTROLS.search(text):
        line = text.count("\n", 0, match.start()) + 1
        notes = [*notes, Note("control_characters_removed", line)]
        text = _CONTROLS.sub("", text)
    return text, tuple(notes)


def clean_text(text: str) -> str:
    """Return text of escapes in a file, without the characters that no text of ours can have."""
    return _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _decode(data: bytes) -> tuple[str, list[Note]]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, errors="replace"), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return data.decode("cp1252", errors="replace"), [Note("read_as_windows_1252", line)]
