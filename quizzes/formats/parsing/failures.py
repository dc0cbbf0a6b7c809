"""Readers that fail: the item, or the whole file, is refused with its place, and logged.

An exception in a reader is a mistake of ours, or a file that nobody foresaw; either way nobody
else's question suffers for it. The log names the place and the lines of our code, never the
words of the file: an exception's message may quote them.
"""

import logging
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol, TypeVar

from quizzes.formats.contract import FileError, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.progress import count_item
from quizzes.formats.parsing.reading_limits import (
    READING_LIMITS,
    LimitExceeded,
    TooManyOptions,
    check_item_count,
)
from quizzes.formats.parsing.source_items import Origin, build_item

FAILED: Final = "reader_failed"
TOO_DEEP: Final = "item_too_deep"
TOO_HEAVY: Final = "file_too_heavy"
CODES: Final = frozenset({FAILED, TOO_DEEP, TOO_HEAVY})
FATAL_ERRORS: Final = (MemoryError, LimitExceeded)
"""What says nothing of the item that was being read: the whole file cannot go on."""

_MESSAGES: Final = {
    FAILED: "the reader failed on this file",
    TOO_DEEP: "the file is nested too deeply",
    TOO_HEAVY: "the file takes more memory than there is",
}
_INNERMOST: Final = -30
"""Frames of a traceback that are logged: a recursion has thousands."""

log = logging.getLogger(__name__)


class SourceBlock(Protocol):
    """The part of a file that holds one item."""

    @property
    def line(self) -> int:
        """Return the line on which it begins."""

    @property
    def end_line(self) -> int:
        """Return its last line."""


Block = TypeVar("Block", bound=SourceBlock)
Result = TypeVar("Result")


def read_blocks(
    read: Callable[[Block, Names, str], SourceItem], blocks: Iterable[Block], language: str
) -> tuple[SourceItem, ...]:
    """Return the item of each block, as `read` returns it; of one at which it raises, a refusal."""
    names, blocks = Names(), tuple(blocks)
    check_item_count(len(blocks))
    return tuple(
        read_item(partial(read, block, names, language or "en"), Origin(block.line, block.end_line))
        for block in blocks
    )


def read_item(read: Callable[[], SourceItem], place: Origin) -> SourceItem:
    """Return the item that `read` returns; if it raises, the refusal of that item."""
    (item,) = read_items(lambda: [read()], place)
    return item


def run_guarded(run: Callable[[], Result]) -> Result | Exception:
    """Return what `run` returns, or the exception that it raises; a fatal one goes on."""
    try:
        return run()
    except FATAL_ERRORS:
        raise
    except Exception as error:  # noqa: BLE001  whatever a reader throws
        return error


def read_items(read: Callable[[], Iterable[SourceItem]], place: Origin) -> list[SourceItem]:
    """Return the items that `read` returns of one element; if it raises, the refusal of all."""
    count_item()
    items = run_guarded(lambda: list(read()))
    if not isinstance(items, Exception):
        return items
    called, note = f"line {place.line}", Note(_find_code(items), place.line)
    if isinstance(items, TooManyOptions):
        note = Note("too_many_options", place.line, "", {"maximum": READING_LIMITS.options})
    else:
        log_failure(f"item at {place.archive_path or 'line'}:{place.line}", items)
    return [build_item(place.with_name(called, "unknown"), None, [note])]


def read_file(read: Callable[[], ParsedFile], format_: str) -> ParsedFile:
    """Return the parsed file that `read` returns; if it raises, one that refuses the whole file."""
    try:
        return read()
    except LimitExceeded as exceeded:
        return ParsedFile(errors=(exceeded.error,))
    except Exception as error:  # noqa: BLE001  whatever a reader throws
        code = _find_code(error)
        log_failure(f"file of format {format_}", error)
        return ParsedFile(errors=(FileError(1, "", code, _MESSAGES[code]),))


def log_failure(what: str, error: Exception, step: str = "reading") -> None:
    """Log an exception with its traceback, without its message: that may quote the file."""
    frames = traceback.format_tb(error.__traceback__, limit=_INNERMOST)
    log.error("%s failed: %s: %s\n%s", step, what, type(error).__name__, "".join(frames))


def _find_code(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return TOO_DEEP
    return TOO_HEAVY if isinstance(error, MemoryError) else FAILED
