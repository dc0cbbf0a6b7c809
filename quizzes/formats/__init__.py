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
from quizzes.formats.parsing.failures import log_failure
from quizzes.formats.parsing.reading_limits import LimitExceeded

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
"""Every format by its name; the first in this order that detects its own file reads it."""


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


def detect_format(data: bytes, filename: str) -> Format | None:
    """Return the first format that detects these bytes as its own."""
    return next((format_ for format_ in FORMATS.values() if _is_own(format_, data, filename)), None)


def _is_own(format_: Format, data: bytes, filename: str) -> bool:
    """Return whether a format detects a file as its own; one that raises does not."""
    try:
        return format_.detect(data, filename)
    except MemoryError:
        raise
    except LimitExceeded:  # reading it says so
        return False
    except Exception as error:  # noqa: BLE001  see `failures`
        log_failure(f"whether a file is of format {format_.name}", error)
        return False
