"""The lines of a file that an item was read from, as far as it has lines. Pure.

Most files are text, or packages of texts. A format whose files are neither (a sheet, say) has a
function `lines` that returns its rows as lines, numbered as its items are.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from quizzes.formats import LINES
from quizzes.formats.contract import FileError, SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import FATAL_ERRORS, log_failure
from quizzes.formats.parsing.packages import Package, is_tarball, is_zip, open_package

MAX_LINES: Final = 60
MAX_CHARACTERS: Final = 4000

Lines = Callable[[str], Sequence[str]]
"""Path in the archive ("": the file itself) → its lines; none where it has none."""


def line_source(data: bytes, format_: str) -> Lines:
    """Return a function from a path in the archive to its lines; the last ones are cached."""
    split = LINES.get(format_, _split_file)
    return lru_cache(maxsize=1)(lambda path: _split_or_none(split, data, path))


def _split_or_none(
    split: Callable[[bytes, str], Sequence[str]], data: bytes, path: str
) -> Sequence[str]:
    """Return the lines at a path; none where splitting raises: the items are read already."""
    try:
        return split(data, path)
    except FATAL_ERRORS:
        raise
    except Exception as error:  # noqa: BLE001  see `failures`
        log_failure(f"the lines of {path or 'a file'}", error)
        return []


def item_excerpt(lines: Lines, source_item: SourceItem) -> str:
    """Return the lines of an item, or of a long item the beginning."""
    first = max(source_item.line, 1)
    last = min(max(source_item.end_line, first), first + MAX_LINES - 1)
    return "\n".join(lines(source_item.archive_path)[first - 1 : last])[:MAX_CHARACTERS]


def read_member(data: bytes, path: str) -> bytes | None:
    """Return the bytes at a path of an archive, or of the file itself; None where it has none."""
    if is_zip(data) or is_tarball(data):
        package = open_package(data)
        return None if isinstance(package, FileError) else _read_archived(package, path)
    return None if path else data


def _split_file(data: bytes, path: str) -> Sequence[str]:
    content = read_member(data, path)
    return [] if content is None else _split_text(content)


def _split_text(data: bytes) -> Sequence[str]:
    return decode(data)[0].split("\n")


def _read_archived(package: Package, path: str) -> bytes | None:
    """Return the bytes at a path, also in a package within the package: `outer.zip/inner.xml`."""
    if path in package.names:
        data = package.read(path)
        return None if isinstance(data, FileError) else data
    for name in package.names:
        if path.startswith(f"{name}/"):
            content = package.open_nested(name)
            return (
                None
                if isinstance(content, FileError)
                else _read_archived(content, path[len(name) + 1 :])
            )
    return None
