"""The rules of each item of a file, whatever its format: one line a format."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from quizzes.formats.contract import SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import log_failure, run_guarded
from quizzes.source_scoring.gift import read_gift
from quizzes.source_scoring.h5p import read_h5p
from quizzes.source_scoring.lists import read_boxes, read_lettered, read_text2qti
from quizzes.source_scoring.moodle import read_moodle
from quizzes.source_scoring.olx import read_olx
from quizzes.source_scoring.qti.items import read_qti
from quizzes.source_scoring.qti.qti12_items import read_qti12
from quizzes.source_scoring.rules import LocatedRules, NotComparable, SourceRules
from quizzes.source_scoring.table_rules import read_csv, read_kahoot, read_xlsx
from quizzes.source_scoring.transcripts import read_page

FindRules = Callable[[SourceItem], SourceRules | NotComparable]
"""Returns the rules of an item; asked for each item of a file, in their order."""

_DOCUMENT_READERS: Mapping[str, Callable[[bytes], Iterator[LocatedRules]]] = {
    "csv": read_csv,
    "h5p": read_h5p,
    "kahoot": read_kahoot,
    "moodle-xml": read_moodle,
    "olx": read_olx,
    "qti-1.2": read_qti12,
    "qti-2": read_qti,
    "qti-3": read_qti,
    "xlsx": read_xlsx,
}
_LINE_READERS: Mapping[str, Callable[[Sequence[str]], SourceRules]] = {
    "aiken": read_lettered,
    "checklist": read_boxes,
    "gift": read_gift,
    "letter_key": read_lettered,
    "text2qti": read_text2qti,
    "transcript": read_page,
}
_OWN: Final = "ochenta-bank/1"
"""The format that names the scoring method in our own words, and no other."""


def index_rules(data: bytes, format_: str) -> FindRules:
    """Return a function that finds the rules of each item, asked in the order of the file."""
    if reader := _LINE_READERS.get(format_):
        lines = decode(data)[0].split("\n")
        return lambda item: _read_lines(reader, _list_lines(item, lines))
    document_reader = _DOCUMENT_READERS.get(format_)
    if document_reader is None:
        reason = NotComparable("own_format" if format_ == _OWN else "no_rule")
        return lambda _item: reason
    by_place: defaultdict[tuple[str, int], deque[SourceRules | NotComparable]] = defaultdict(deque)
    located_rules = run_guarded(lambda: list(document_reader(data)))
    if isinstance(located_rules, Exception):
        log_failure(f"rules of a file of format {format_}", located_rules, "comparing scores")
        located_rules = []
    for located in located_rules:
        by_place[located.member, located.line].append(located.rules)

    def find(item: SourceItem) -> SourceRules | NotComparable:
        waiting = by_place[item.archive_path, item.line]
        return waiting.popleft() if waiting else NotComparable("rule_not_found")

    return find


def _list_lines(item: SourceItem, lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of an item, and those with its key where they stand elsewhere."""
    keys = sorted({note.line for note in item.keys if note.line > item.end_line})
    elsewhere = [lines[number - 1] for number in keys if number <= len(lines)]
    return [*lines[max(item.line - 1, 0) : item.end_line], *elsewhere]


def _read_lines(
    reader: Callable[[Sequence[str]], SourceRules], lines: Sequence[str]
) -> SourceRules | NotComparable:
    try:
        return reader(lines)
    except NotComparable as reason:
        return reason
