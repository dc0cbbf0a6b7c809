"""Questions whose options have letters, numbers, bullets or signs, and a key that is no box.

The key is a line below ("Answer: B", also in `<details>`), a tick, "(correct)", the bold option,
or the one that is not struck out. Options may be rows of a table, or boxes of HTML.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest

from quizzes.formats.checklist import read_checklist
from quizzes.formats.contract import LONGEST_QUOTE, ImportStatus, Note, ParsedFile, SourceItem
from quizzes.formats.letter_key.lettered_questions import (
    has_lettered_questions,
    has_open_questions,
    read_lettered_questions,
)
from quizzes.formats.letter_key.line_spellings import simplify_spellings
from quizzes.formats.letter_key.marked_options import MarkedText, mark_as_checklist
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.languages import decode_text

__all__ = ["detect", "extensions", "name", "read"]

name = "letter_key"
extensions = ("txt", "md", "markdown")

_DETECTED = 200_000
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})
_BOX = re.compile(r"^- \[x\] \S", re.MULTILINE)
_INPUT = re.compile(r"<input\b", re.IGNORECASE)


def detect(data: bytes, filename: str) -> bool:
    """Return whether a file has options, and for one list at least something that is its key."""
    if not filename.lower().endswith(extensions):
        return False
    text = simplify_spellings(decode(data[:_DETECTED])[0]).text
    is_markdown = not filename.lower().endswith(".txt")
    if has_lettered_questions(text) or has_open_questions(text):
        return True
    return is_markdown and _mark(text) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the questions: those with labels, or those of lists, whichever are more."""
    text, language, notes = decode_text(data, language)
    spelled = simplify_spellings(text)
    source_lines = text.split("\n")
    heads = [
        Note("table_head", place + 1, source_lines[place].strip()[:LONGEST_QUOTE])
        for place in sorted(spelled.table_heads)
    ]
    lettered = read_lettered_questions(spelled.text, language or "en")
    marked = _mark(spelled.text)
    parsed_file = lettered
    if marked is not None:
        reasons = {place + 1: reason for place, reason in marked.reasons.items()}
        lists = read_checklist(marked.text, language or "en", reasons, marked.question_lines)
        pairs = zip_longest(lists.items, lists.items[1:])
        items = tuple(_add_marks(*pair, marked) for pair in pairs)
        lists = replace(lists, items=items)
        is_disputed = "keys_differ" in marked.doubts.values()
        is_open = _has_open_items(lettered)
        is_first = _count_clean(lettered) > 0 and not is_open
        others = (lettered, lists) if is_first else (lists, lettered)
        parsed_file = lists if is_disputed else max(others, key=_rank)
        if not is_disputed and is_open:
            below = read_lettered_questions(spelled.text, language or "en", keys_below=True)
            parsed_file = max(parsed_file, below, key=_count_clean)
    spelled_lines = spelled.text.split("\n")
    return replace(
        parsed_file,
        items=tuple(_quote_keys(item, spelled_lines, source_lines) for item in parsed_file.items),
        ignored_lines=(*notes, *heads, *parsed_file.ignored_lines),
    )


@lru_cache(maxsize=1)  # detection asks for each ending, and then it is read
def _mark(text: str) -> MarkedText | None:
    """Return a page as a checklist; one that its spelling made one is returned as it is."""
    marked = mark_as_checklist(text)
    return MarkedText(text) if marked is None and _BOX.search(text) else marked


def _quote_keys(
    item: SourceItem, spelled_lines: Sequence[str], source_lines: Sequence[str]
) -> SourceItem:
    """Return an item whose keys are quoted as they stand in the file."""
    keys = []
    for note in item.keys:
        spelled = spelled_lines[note.line - 1].strip()
        source = source_lines[note.line - 1].strip()
        rest = spelled.removeprefix(note.quote)
        is_start = spelled not in {rest, source} and source.endswith(rest)
        quote = source.removesuffix(rest)[:LONGEST_QUOTE] if is_start else note.quote
        keys.append(replace(note, quote=quote))
    return replace(item, keys=tuple(keys))


def _has_open_items(parsed_file: ParsedFile) -> bool:
    """Return whether some questions have no options: only one reader reads these everywhere."""
    return any(
        item.question and "options" not in item.question.tables for item in parsed_file.items
    )


def _count_clean(parsed_file: ParsedFile) -> int:
    return _rank(parsed_file)[0]


def _rank(parsed_file: ParsedFile) -> tuple[int, int, int]:
    """Return how many items are clean, how many are read, and, below 0, how many are refused."""
    statuses = [item.status for item in parsed_file.items]
    refused = statuses.count(ImportStatus.REFUSED)
    return sum(map(_CLEAN.__contains__, statuses)), len(statuses) - refused, -refused


def _add_marks(
    item: SourceItem,
    following: SourceItem | None,
    marked: MarkedText,
) -> SourceItem:
    """Return an item with its keys, and a note where its key is a doubtful sign.

    What stands between it and the one that follows is its own, but for keys at the end of a page.
    """
    if marked.last is not None and item.line <= marked.last:
        item = replace(item, end_line=min(item.end_line, marked.last))
    end = following.line - 1 if following else len(marked.lines)
    places = range(item.line - 1, max(end, item.end_line))
    keys = tuple(
        Note("key", place + 1, words[:LONGEST_QUOTE])
        for place in places
        for key in marked.keys.get(place, ())
        if (words := key.strip())
    )
    keys += tuple(note for note in item.keys if note.line - 1 not in marked.keys)
    notes = tuple(
        Note(code, place + 1) for place in places if (code := marked.doubts.get(place, ""))
    )
    status = ImportStatus.REPAIRED if notes and item.status in _CLEAN else item.status
    return replace(item, status=status, notes=(*item.notes, *notes), keys=keys)
