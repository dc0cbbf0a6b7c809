"""The register of file formats: one line a format."""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import cast

from quizzes.formats import (
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
from quizzes.formats.contract import Format, FormatWriter

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
"""Every format by its name; `detection` says which of them a file is of."""


def has_hook(module: ModuleType, name: str) -> bool:
    """Return whether a format has a function of this name; a submodule of that name is none."""
    return callable(getattr(module, name, None))


WRITERS: Mapping[str, FormatWriter] = {
    module.name: cast("FormatWriter", module) for module in _MODULES if has_hook(module, "write")
}
"""Formats that can be written, by name."""

LINES: Mapping[str, Callable[[bytes, str], Sequence[str]]] = {
    module.name: module.lines for module in _MODULES if has_hook(module, "lines")
}
"""For formats whose files are no text: the lines of a member (see `source_excerpts`)."""
