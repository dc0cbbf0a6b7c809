"""The lines of a file that an item was read from, as far as it has lines. Pure.

Most files are text, or packages of texts. A format whose files are neither (a sheet, say) has a
function `lines` that gives what stands for them, counted as its items count.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from celery.exceptions import SoftTimeLimitExceeded

from quizzes.formats import LINES
from quizzes.formats.contract import FileError, SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import log_failure
from quizzes.formats.parsing.packages import Package, is_tarball, is_zip, open_package

MOST_LINES: Final = 60
MOST_CHARACTERS: Final = 4000
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

Lines = Callable[[str], Sequence[str]]
"""Name of a member ("": the file itself) → its lines; none where it has none."""


def line_source(data: bytes, format_: str) -> Lines:
    """Give a function that gives the lines of each member; those of the last asked are kept."""
    split = LINES.get(format_, _lines)
    return lru_cache(maxsize=1)(lambda member: _split_or_none(split, data, member))


def _split_or_none(
    split: Callable[[bytes, str], Sequence[str]], data: bytes, member: str
) -> Sequence[str]:
    """Return the lines of a member; none where splitting raises: the items are read already."""
    try:
        return split(data, member)
    except (MemoryError, SoftTimeLimitExceeded):
        raise
    except Exception as error:  # noqa: BLE001  see `failures`
        log_failure(f"the lines of {member or 'a file'}", error)
        return []


def item_excerpt(lines: Lines, source_item: SourceItem) -> str:
    """Give the lines of an item, a long item's beginning."""
    first = max(source_item.line, 1)
    last = min(max(source_item.end_line, first), first + MOST_LINES - 1)
    return "\n".join(lines(source_item.archive_path)[first - 1 : last])[:MOST_CHARACTERS]


def _lines(data: bytes, member: str) -> Sequence[str]:
    if is_zip(data) or is_tarball(data):
        package = open_package(data)
        content = None if isinstance(package, FileError) else _unpacked(package, member)
        return [] if content is None else _text(content)
    return [] if member else _text(data)


def _text(data: bytes) -> Sequence[str]:
    if b"\0" in data[:4096] and not data.startswith(_UTF_16):
        return []
    return decode(data)[0].split("\n")


def _unpacked(package: Package, member: str) -> bytes | None:
    """Find a member, also one of a package within the package: `outer.zip/inner.xml`."""
    if member in package.names:
        data = package.read(member)
        return None if isinstance(data, FileError) else data
    for name in package.names:
        if member.startswith(f"{name}/"):
            content = package.open_nested(name)
            return (
                None
                if isinstance(content, FileError)
                else _unpacked(content, member[len(name) + 1 :])
            )
    return None
