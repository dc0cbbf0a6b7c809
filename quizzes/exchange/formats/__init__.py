"""The register of file formats: one line a format."""

from collections.abc import Mapping
from types import ModuleType
from typing import cast

from quizzes.exchange.contract import Format, Writer
from quizzes.exchange.formats import (
    aiken,
    anki_tsv,
    apkg,
    checklist,
    csv_sheet,
    flashcards,
    gift,
    h5p,
    kahoot,
    letter_key,
    moodle,
    ochenta,
    olx,
    qti2,
    qti3,
    qti12,
    text2qti,
    transcript,
    xlsx,
)

_MODULES: tuple[ModuleType, ...] = (
    ochenta,
    apkg,
    h5p,
    gift,
    moodle,
    qti12,
    qti2,
    qti3,
    olx,
    kahoot,
    xlsx,
    aiken,
    anki_tsv,
    csv_sheet,
    flashcards,
    transcript,
    checklist,
    text2qti,
    letter_key,
)

FORMATS: Mapping[str, Format] = {module.name: cast("Format", module) for module in _MODULES}
"""Every format by its name; what claims a file first, in this order, reads it."""

WRITERS: Mapping[str, Writer] = {
    module.name: cast("Writer", module) for module in _MODULES if hasattr(module, "write")
}
"""Those that can be written, too."""


def claiming(data: bytes, filename: str) -> Format | None:
    """Give the first format that says these bytes are its own."""
    return next((one for one in FORMATS.values() if one.claims(data, filename)), None)
