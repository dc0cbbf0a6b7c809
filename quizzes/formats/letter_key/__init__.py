"""Questions whose options have letters, numbers or bullets, and a key that is no box.

The key is a line below ("Answer: B", also in `<details>`), a tick, "(correct)", or the bold option.
"""

from dataclasses import replace

from quizzes.formats.checklist import read_checklist
from quizzes.formats.contract import ImportStatus, Note, ParsedFile, SourceItem
from quizzes.formats.letter_key.lettered_questions import (
    has_lettered_questions,
    read_lettered_questions,
)
from quizzes.formats.letter_key.line_spellings import simplify_spellings
from quizzes.formats.letter_key.marked_options import mark_as_checklist
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.languages import decode_text

__all__ = ["detect", "extensions", "name", "read"]

name = "letter_key"
extensions = ("txt", "md", "markdown")

_DETECTED = 200_000
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})


def detect(data: bytes, filename: str) -> bool:
    """Return whether a file has options, and for one list at least something that is its key."""
    if not filename.lower().endswith(extensions):
        return False
    text = simplify_spellings(decode(data[:_DETECTED])[0])
    is_markdown = not filename.lower().endswith(".txt")
    return has_lettered_questions(text) or (is_markdown and mark_as_checklist(text) is not None)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the questions: those with labels, or those of lists, whichever are more."""
    text, language, notes = decode_text(data, language)
    text = simplify_spellings(text)
    lettered = read_lettered_questions(text, language or "en")
    marked = mark_as_checklist(text)
    parsed_file = lettered
    if marked is not None:
        lists = read_checklist(marked.text, language or "en")
        lists = replace(
            lists, items=tuple(_note_bold(item, marked.bold_places) for item in lists.items)
        )
        parsed_file = max(lettered, lists, key=_count_clean)
    return replace(parsed_file, ignored_lines=(*notes, *parsed_file.ignored_lines))


def _count_clean(parsed_file: ParsedFile) -> int:
    return sum(item.status in _CLEAN for item in parsed_file.items)


def _note_bold(item: SourceItem, places: frozenset[int]) -> SourceItem:
    """Return an item with a note where its key is the option in bold."""
    line = next((line for line in range(item.line, item.end_line + 1) if line - 1 in places), 0)
    if not line:
        return item
    status = ImportStatus.REPAIRED if item.status in _CLEAN else item.status
    return replace(item, status=status, notes=(*item.notes, Note("bold_as_key", line)))
