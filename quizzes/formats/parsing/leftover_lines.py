"""What became of each line of an item: in a text of its question, in a note, or left over. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from quizzes.formats.contract import LONGEST_QUOTE, ImportStatus, Note, ParsedQuestion, SourceItem

_MARKS = re.compile(r"<br ?/?>|[\s\\*]+", re.IGNORECASE)
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})
_MOST = 50_000_000
"""How many characters are looked through for one item, at most."""


def note_leftover_lines(
    items: Iterable[SourceItem],
    lines: Sequence[str],
    ignored_lines: Iterable[Note],
    strip_marks: Callable[[str], str],
) -> Iterator[SourceItem]:
    """Yield the items of a file; a person must look at one with a line in no text and no note.

    `lines` are those of the file, `strip_marks` returns the words that a question should have.
    """
    ignored = {note.line for note in ignored_lines if note.quote}
    for item in items:
        if item.question is None or item.status not in _CLEAN:
            yield item
            continue
        noted = {note.line for note in item.notes if note.quote}
        own = {number: lines[number - 1] for number in range(item.line, item.end_line + 1)}
        words = {number: _squeeze(strip_marks(line)) for number, line in own.items()}
        notes = tuple(
            Note("line_left_over", number, own[number].strip()[:LONGEST_QUOTE])
            for number in _find_leftover(item.question, words)
            if number not in ignored and number not in noted
        )
        status = ImportStatus.REVIEW if notes else item.status
        yield replace(item, status=status, notes=(*item.notes, *notes))


def _find_leftover(question: ParsedQuestion, words: dict[int, str]) -> Iterator[int]:
    """Yield the numbers of the lines whose words are in no text of a question."""
    every = [question.name, *(text for texts in question.all_texts for text in texts.values())]
    texts = [_squeeze(line) for text in every for line in text.split("\n")]
    joined, lines = "".join(texts), frozenset(texts)
    budget = _MOST
    for number, line in words.items():
        if line and line not in lines:
            budget -= len(joined)
            if budget < 0 or line not in joined:
                yield number


def _squeeze(text: str) -> str:
    return _MARKS.sub("", text)
