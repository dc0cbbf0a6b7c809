"""What became of each line of an item: in a text of its question, in a note, or left over. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from quizzes.formats.contract import ImportStatus, Note, ParsedQuestion, SourceItem

_MARKS = re.compile(r"<br ?/?>|[\s\\*]+", re.IGNORECASE)
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})
_MOST = 50_000_000
"""How many characters are looked through for one item, at most."""


def note_leftover_lines(
    found: Iterable[SourceItem],
    lines: Sequence[str],
    noise: Iterable[Note],
    *,
    words_of: Callable[[str], str],
) -> Iterator[SourceItem]:
    """Return the items of a file; a person must look at one with a line in no text and no note.

    `lines` are those of the file, `words_of` tells which words of a line a question should have.
    """
    noted = frozenset(note.line for note in noise if note.quote)
    for item in found:
        left = list(_notes(item, lines, noted, words_of))
        if left:
            yield replace(item, status=ImportStatus.REVIEW, notes=(*item.notes, *left))
        else:
            yield item


def _notes(
    found: SourceItem, lines: Sequence[str], noted: frozenset[int], words_of: Callable[[str], str]
) -> Iterator[Note]:
    if found.question is None or found.status not in _CLEAN:
        return
    own = {note.line for note in found.notes if note.quote}
    for number in lines_left(found.question, found, lines, words_of):
        if number not in noted and number not in own:
            yield Note("line_left_over", number, lines[number - 1].strip()[:200])


def lines_left(
    question: ParsedQuestion,
    found: SourceItem,
    lines: Sequence[str],
    words_of: Callable[[str], str],
) -> Iterator[int]:
    """Return the numbers of an item's lines whose words are in no text of its question."""
    texts = [_squeezed(line) for text in texts_of(question) for line in text.split("\n")]
    whole, held = "".join(texts), frozenset(texts)
    most = _MOST
    for number in range(found.line, found.end_line + 1):
        words = _squeezed(words_of(lines[number - 1]))
        if not words or words in held:
            continue
        most -= len(whole)
        if most < 0 or words not in whole:
            yield number


def texts_of(question: ParsedQuestion) -> Iterator[str]:
    """Return the name of a question, and all its texts in all their languages."""
    yield question.name
    for said in (question.texts, *(row.texts for row in question.rows)):
        for texts in said.values():
            yield from texts.values()


def _squeezed(text: str) -> str:
    return _MARKS.sub("", text)
