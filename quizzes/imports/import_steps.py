"""What is being done of an import, step by step, and how far it is. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

COUNTED_AT_ONCE: Final = 25
"""Items between two reports of a step."""


class ImportStep(StrEnum):
    """What is being done of an import: what its progress counts."""

    READING = "reading"
    CHECKING = "checking"
    COMPARING = "comparing"
    LANGUAGES = "languages"
    MATCHING = "matching"
    PLANNING = "planning"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How many items, or rows of a sheet, are done of the step; `total` is 0 until it is read.

    Without a step it is that of the state of the import.
    """

    step: ImportStep | Literal[""]
    done: int
    total: int


NOT_BEGUN: Final = ImportProgress("", 0, 0)
"""The progress of what nobody works at yet."""
OnProgress = Callable[[ImportProgress], None]
"""Takes how far an import is; what it raises ends the step."""


@dataclass(slots=True)
class StepReporter:
    """Tells how far each step is: at its beginning, and after some items."""

    on_progress: OnProgress
    _progress: ImportProgress = NOT_BEGUN

    def begin_step(self, step: str, total: int) -> None:
        """Begin the next step."""
        self._progress = ImportProgress(ImportStep(step), 0, total)
        self.on_progress(self._progress)

    def count_item(self) -> None:
        """Count one item of the step."""
        step, done, total = self._progress.step, self._progress.done + 1, self._progress.total
        self._progress = ImportProgress(step, done, total)
        if not done % COUNTED_AT_ONCE:
            self.on_progress(self._progress)
