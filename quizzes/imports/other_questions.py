"""Questions in another form in a plain text: left out where they were read as words, and named.

The item that they stood in is for a person to look at: only its author knows that they were no part
of it. Of what the file's format left unread, a note says how many questions look like which other
format, and on which lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from quizzes.formats.contract import (
    LONGEST_QUOTE,
    Format,
    ImportStatus,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.detection import PLAIN, Evidence, weigh, weigh_others
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.other_questions import OtherQuestions
from quizzes.formats.parsing.progress import ignore_progress
from quizzes.formats.parsing.question_shapes import find_question_shapes
from quizzes.formats.parsing.text_samples import drop_unmarked, take_sample

OTHER_QUESTION: Final = "question_of_other_format"
OTHER_QUESTIONS: Final = "questions_of_other_format"
_LEFT_OUT: Final = "other_question_left_out"
_UNREAD: Final = frozenset(
    {"belongs_to_no_item", OTHER_QUESTION, "row_before_header", "row_not_read", "text_before_cards",
     "text_only"}
)  # fmt: skip
"""Codes of notes on lines that nothing was made of."""
_MOST_FORMATS: Final = 3
"""Other formats that are named in one file."""
_MOST_SPANS: Final = 20
"""Spans of lines that a note names."""


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
    # Without what is left out, one that was refused above it would go into what is below.
    refused = [
        item for item in parsed_file.items if item.question is None and questions.has_shape(item)
    ]
    absent = others.union(*(range(item.line, item.end_line + 1) for item in refused))
    text = "\n".join(_blank(lines, absent)).encode(errors="surrogatepass")
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
    items = [*refused, *(_mark(item, marks) for item in rest.items)]
    items.sort(key=lambda item: item.line)
    return replace(rest, items=tuple(items), ignored_lines=(*rest.ignored_lines, *notes.values()))


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


def name_other_questions(
    parsed_file: ParsedFile, data: bytes, format_: Format, language: str
) -> ParsedFile:
    """Return the file with a note on how many questions look like which other format, and where."""
    if format_.name not in PLAIN or parsed_file.errors:
        return parsed_file
    lines = decode(data)[0].split("\n")
    left = drop_unmarked(_blank(lines, _list_read_lines(parsed_file)))
    noted, named = list[Note](), set[int]()
    for _format in range(_MOST_FORMATS):
        other = _find_other(format_, left, language)
        if other is None:
            break
        items = _list_keyed(other, left)
        spans = list(_merge(items, lines))
        quote = lines[spans[0].start - 1].strip()[:LONGEST_QUOTE]
        detail: dict[str, str | int] = {
            "count": len(items),
            "format": other.format_.name,
            "lines": _write_spans(spans),
        }
        noted.append(Note(OTHER_QUESTIONS, spans[0].start, quote, detail))
        numbers = {number for span in spans for number in span}
        named |= numbers
        left = _blank(left, numbers)
    if not noted:
        return parsed_file
    notes = _note_lines(parsed_file, lines, named)
    return replace(parsed_file, ignored_lines=(*noted, *notes))


def _list_read_lines(parsed_file: ParsedFile) -> set[int]:
    """Return the lines of questions, of their keys, and of what was understood and left out.

    Those of an item that was refused are not read, though it stands within another.
    """
    read, refused = set[int](), set[int]()
    for item in parsed_file.items:
        lines = read if item.question is not None else refused
        lines.update(range(item.line, item.end_line + 1))
    read -= refused
    read |= {note.line for item in parsed_file.items for note in item.keys}
    read -= {note.line for note in parsed_file.ignored_lines if note.code == OTHER_QUESTION}
    return read | {note.line for note in parsed_file.ignored_lines if note.code not in _UNREAD}


def _find_other(format_: Format, left: Sequence[str], language: str) -> Evidence | None:
    """Return what the format makes of lines that reads most of them; None if none has a key."""
    text = "\n".join(left)
    if not text.strip():
        return None
    sample = take_sample(text)
    with ignore_progress():
        others = weigh_others(format_, sample.encode(errors="surrogatepass"), language)
    sample_lines = sample.split("\n")
    best = max(others, key=lambda each: len(_list_keyed(each, sample_lines)), default=None)
    if best is None or not _list_keyed(best, sample_lines):
        return None
    if sample is not text:
        best = weigh(best.format_, text.encode(errors="surrogatepass"), language)
    return best if _list_keyed(best, left) else None


def _list_keyed(evidence: Evidence, lines: Sequence[str]) -> list[SourceItem]:
    """Return the items that a format reads with their keys; braces of GIFT need its signs."""
    items = evidence.parsed_file.items if evidence.parsed_file else ()
    return [
        item
        for item in items
        if item.question is not None
        and not item.is_damaged
        and (
            evidence.format_.name != "gift"
            or find_question_shapes(lines[item.line - 1 : item.end_line])
        )
    ]


def _blank(lines: Sequence[str], numbers: set[int]) -> list[str]:
    return ["" if number in numbers else line for number, line in enumerate(lines, start=1)]


def _merge(items: Iterable[SourceItem], lines: Sequence[str]) -> Iterator[range]:
    """Yield the lines of items, those together between which nothing stands."""
    span = range(0)
    for item in items:
        between = lines[span.stop - 1 : item.line - 1] if span else ()
        if span and not any(map(str.strip, between)):
            span = range(span.start, max(span.stop, item.end_line + 1))
            continue
        if span:
            yield span
        span = range(item.line, item.end_line + 1)
    if span:
        yield span


def _write_spans(spans: Sequence[range]) -> str:
    """Return spans of lines in words, with commas; of very many the first ones."""
    words = [
        f"{span.start}–{span.stop - 1}" if len(span) > 1 else f"{span.start}"
        for span in islice(spans, _MOST_SPANS)
    ]
    return ", ".join(words + ["…"] * (len(spans) > _MOST_SPANS))


def _note_lines(parsed_file: ParsedFile, lines: Sequence[str], named: set[int]) -> Iterator[Note]:
    """Yield the notes on ignored lines; each of a question in another format says that it is one.

    Lines of items that were refused have their own notes.
    """
    noted = set[int]()
    for note in parsed_file.ignored_lines:
        is_other = note.line in named and note.code in _UNREAD
        noted.add(note.line)
        yield replace(note, code=OTHER_QUESTION) if is_other else note
    noted |= {
        number for item in parsed_file.items for number in range(item.line, item.end_line + 1)
    }
    for number in sorted(named - noted):
        if quote := lines[number - 1].strip():
            yield Note(OTHER_QUESTION, number, quote[:LONGEST_QUOTE])
