"""Notes on two options that read the same, of which the key has only one. Pure.

No learner can tell them apart, so publishing refuses the question (`find_equal_rows`); whoever
imports it reads that at the item, whatever format it came in.
"""

from collections.abc import Iterator
from dataclasses import replace

from quizzes.document.equal_rows import find_equal_rows
from quizzes.formats.contract import (
    LONGEST_QUOTE,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.document_mapping import build_document

EQUAL_OPTIONS = "equal_options"


def note_equal_options(parsed_file: ParsedFile) -> ParsedFile:
    """Return the file with a note on each such option; its item is for a person to look at."""
    return replace(parsed_file, items=tuple(map(_note_item, parsed_file.items)))


def _note_item(item: SourceItem) -> SourceItem:
    notes = tuple(_find_equal_options(item.question)) if item.question else ()
    if not notes:
        return item
    return replace(item, status=ImportStatus.REVIEW, notes=(*item.notes, *notes), is_damaged=True)


def _find_equal_options(question: ParsedQuestion) -> Iterator[Note]:
    """Yield a note for each such row, once for all languages."""
    lines = {row.name: row.line for row in question.rows}
    languages = sorted(question.languages)
    document = build_document(question, None, languages[0]) if languages else None
    noted: set[str] = set()
    for problem in (p for code in languages if document for p in find_equal_rows(document, code)):
        row = problem.where.rpartition(".")[2]
        if row not in noted:
            noted.add(row)
            text = str(problem.detail["text"])[:LONGEST_QUOTE]
            yield Note(EQUAL_OPTIONS, lines.get(row) or question.line, text)
