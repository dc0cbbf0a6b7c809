"""The register of file formats: one line a format."""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import cast

from celery.exceptions import SoftTimeLimitExceeded

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
from quizzes.formats.contract import Format, Writer
from quizzes.formats.parsing.failures import log_failure

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


def has_hook(module: ModuleType, name: str) -> bool:
    """Return whether a format has a function of this name; a submodule of that name is none."""
    return callable(getattr(module, name, None))


WRITERS: Mapping[str, Writer] = {
    module.name: cast("Writer", module) for module in _MODULES if has_hook(module, "write")
}
"""Those that can be written, too."""

LINES: Mapping[str, Callable[[bytes, str], Sequence[str]]] = {
    module.name: module.lines for module in _MODULES if has_hook(module, "lines")
}
"""Of formats whose files are no text: what stands for the lines of a member (see `sources`)."""


def claiming(data: bytes, filename: str) -> Format | None:
    """Return the first format that says these bytes are its own."""
    return next((form for form in FORMATS.values() if _is_claimed(form, data, filename)), None)


def _is_claimed(form: Format, data: bytes, filename: str) -> bool:
    """Return whether a format claims a file; one that fails to tell does not."""
    try:
        return form.claims(data, filename)
    except (MemoryError, SoftTimeLimitExceeded):
        raise
    except Exception as error:  # noqa: BLE001  see `failures`
        log_failure(f"whether a file is of format {form.name}", error)
        return False
