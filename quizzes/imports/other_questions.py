"""Leaving questions in another form out of a plain text, whose reader took them for words.

They are named among the lines that belong to no item. The item that they stood in is for a person
to look at: only its author knows that they were no part of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from quizzes.formats.contract import (
    LONGEST_QUOTE,
    Format,
    ImportStatus,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.detection import PLAIN
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.other_questions import OtherQuestions

OTHER_QUESTION: Final = "question_of_other_format"
_LEFT_OUT: Final = "other_question_left_out"


def leave_out_other_questions(
    parsed_file: ParsedFile, data: bytes, format_: Format, language: str
) -> ParsedFile:
    """Return the file, read anew without the lines of questions in another form if it has any."""
    if format_.name not in PLAIN or parsed_file.errors:
        return parsed_file
    lines = decode(data)[0].split("\n")
    questions = OtherQuestions(lines, format_.name)
    groups = [(item, questions.find_lines(item)) for item in parsed_file.items]
    others = {number for _, group in groups for number in group}
    if not others:
        return parsed_file
    left = ("" if number in others else line for number, line in enumerate(lines, start=1))
    text = "\n".join(left).encode(errors="surrogatepass")
    rest = format_.read(text, language=language or parsed_file.metadata.language)
    notes = {
        number: Note(OTHER_QUESTION, number, lines[number - 1].strip()[:LONGEST_QUOTE])
        for number in sorted(others)
    }
    marks = {
        number: replace(notes[group[0]], code=_LEFT_OUT)
        for item, group in groups
        if group
        for number in _list_own_lines(item, lines, others)[:1]
    }
    items = tuple(_mark(item, marks) for item in rest.items)
    return replace(rest, items=items, ignored_lines=(*rest.ignored_lines, *notes.values()))


def _list_own_lines(item: SourceItem, lines: Sequence[str], others: set[int]) -> list[int]:
    """Return the lines of an item that are its own: those of its options before all others."""
    rows = sorted({row.line for row in item.question.rows} if item.question else ())
    span = range(item.line, min(item.end_line, len(lines)) + 1)
    filled = (number for number in span if number not in others and lines[number - 1].strip())
    return rows or list(filled)


def _mark(item: SourceItem, marks: Mapping[int, Note]) -> SourceItem:
    """Return an item with a note if lines were taken from it; marks are by a line of its own."""
    notes = [marks[number] for number in range(item.line, item.end_line + 1) if number in marks]
    if not notes or item.question is None:
        return item
    return replace(item, status=ImportStatus.REVIEW, notes=(*item.notes, *notes))
