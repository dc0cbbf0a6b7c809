"""Cards as Anki exports them: a line a note, tabs between columns, headers that begin with #.

A text without such headers is read if all its lines have as many columns. Nothing in it says that
these are cards: of two columns somebody is asked, more are for a person to look at.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from io import StringIO
from typing import Final

from quizzes.formats.anki import (
    CardSides,
    FieldReader,
    build_question,
    parse_tags,
    read_card_texts,
    read_words,
)
from quizzes.formats.builders import Head
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.export import ExportTracker, QuestionExporter
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.lib.html_conversion import to_html

name = "anki-tsv"
extensions = ("txt", "tsv")

_NOT_SHOWN = ("tags", "deck", "notetype", "guid")
"""Columns that hold no words of a card."""
_COLUMNS = ("Front", "Back", "Hint", "Explanation", "Tags")
_HEADER = re.compile(r"#([a-z ]{1,30}):([^\n]*)\n?")
_SIGNATURE = re.compile(rb"(?:\xef\xbb\xbf)?#(?:separator|html|notetype|columns)[a-z ]*:")
_MARKUP = re.compile(r"</?(?:b|br|div|em|font|i|img|li|p|span|strong|sub|sup|u|ul)\b[^<>\n]*>")
_DETECTED_BYTES = 30_000
"""Bytes by which a text without headers is taken for cards."""
_FEWEST_ROWS = {"\t": 2, ";": 3, ",": 3}
"""Rows that a text without headers has at least, by what parts the columns."""
ASKED_COLUMNS: Final = 2
"""Columns of a text without headers about which somebody is asked before it is read."""
_MOST_CARD_COLUMNS = {"\t": 4, ";": 2, ",": 2}
_SEPARATORS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}

# A field may be as long as the file: the library's own limit would end the reading.
csv.field_size_limit(64 * 1024 * 1024)


@dataclass(slots=True)
class _Columns:
    """What the headers of a file say of its columns, from 0."""

    separator: str
    is_html: bool
    names: Mapping[int, str]
    not_shown: Mapping[str, int]

    def read_sides(self, row: list[str]) -> CardSides:
        """Return front, back, hint and explanation; columns beyond these explain."""
        hints, texts = list[str](), list[str]()
        for place, text in enumerate(row):
            if place not in self.not_shown.values():
                texts_or_hints = hints if self.names.get(place) == "hint" else texts
                html = text if self.is_html else escape(text).replace("\n", "<br>")
                texts_or_hints.append(html)
        front, back, *others = [*texts, "", ""]
        return CardSides(front, back, "<br>".join(hints), "<br>".join(filter(None, others)))

    def read_tags(self, row: list[str]) -> tuple[str, ...]:
        place = self.not_shown.get("tags", len(row))
        return parse_tags(row[place]) if place < len(row) else ()


def detect(data: bytes, filename: str) -> bool:
    """Return whether this begins with a header of an export, or all lines have as many columns.

    A blank behind each comma is no writing of cards, unless the name says that commas part columns.
    """
    is_table, name_ = filename.lower().endswith("csv"), filename.lower()
    if not is_table and not name_.endswith(extensions):
        return False
    if is_export(data):
        return True
    return bool(find_separator(_decode_start(data), allows_blanks=is_table))


def _decode_start(data: bytes) -> str:
    """Return the lines by which a text without headers is taken for cards."""
    start = data[:_DETECTED_BYTES]
    return decode(start if len(start) == len(data) else start[: start.rfind(b"\n") + 1])[0]


def is_export(data: bytes) -> bool:
    """Return whether this begins with a header of an export; else it is taken for cards at most."""
    return _SIGNATURE.match(data) is not None


def find_separator(text: str, *, allows_blanks: bool = True) -> str:
    """Return what parts each line of a text into as many columns, none of them empty; else ""."""
    lines = [line for line in text.split("\n") if line.strip()]
    return next((sign for sign in _FEWEST_ROWS if _parts_all(lines, sign, allows_blanks)), "")


def _parts_all(lines: Sequence[str], sign: str, allows_blanks: bool) -> bool:
    if len(lines) < _FEWEST_ROWS[sign] or not all(sign in line for line in lines):
        return False
    rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=sign))
    counts = {len(row) for row in rows}
    return (
        len(rows) == len(lines)
        and len(counts) == 1
        and max(counts) <= _MOST_CARD_COLUMNS[sign]
        and all(front.strip() and back.strip() for front, back, *_ in rows)
        and (allows_blanks or sign == "\t" or not any(row[1].startswith(" ") for row in rows))
    )


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; its headers say what its columns are."""
    text, language, notes = decode_text(data, language)
    headers, end = dict[str, str](), 0
    while header := _HEADER.match(text, end):
        headers[header[1]] = header[2]
        end = header.end()
    check_item_count(text.count("\n", end))
    separator = "" if headers else find_separator(_decode_start(data))
    columns, names = _parse_columns(headers, text, separator), Names()
    items, line = list[SourceItem](), text.count("\n", 0, end) + 1
    for row, count in _split_rows(text[end:], columns.separator, by_line=bool(separator)):
        origin = Origin(line, line + count - 1)
        line += count
        if row:
            read_row = partial(
                _read_row,
                row,
                columns,
                names,
                language or "en",
                origin,
                is_guess=not headers and len(row) > ASKED_COLUMNS,
            )
            items.append(read_item(read_row, origin))
    metadata = FileMetadata(language=language)
    return ParsedFile(items=tuple(items), metadata=metadata, ignored_lines=tuple(notes))


def _split_rows(text: str, separator: str, *, by_line: bool) -> Iterator[tuple[list[str], int]]:
    """Yield each row with how many lines it has; `by_line`: one, whatever quotes are open."""
    if by_line:
        for line in text.removesuffix("\n").split("\n"):
            yield next(csv.reader([line], delimiter=separator), []), 1
        return
    rows, end = csv.reader(StringIO(text), delimiter=separator), 0
    for row in rows:
        yield row, rows.line_num - end
        end = rows.line_num


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards as HTML; questions of other kinds are warnings."""
    exporter = QuestionExporter(_write_row, {"flashcard": ("study",)}, has_tags=True)
    rows, warnings = exporter.export(parsed_file, language)
    names, text = "\t".join(_COLUMNS), StringIO()
    text.write(f"#separator:tab\n#html:true\n#tags column:{len(_COLUMNS)}\n#columns:{names}\n")
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return ExportResult(text.getvalue().encode(), warnings)


def _write_row(tracker: ExportTracker) -> list[str]:
    return [*map(to_html, read_card_texts(tracker)), " ".join(tracker.question.tags)]


def _parse_columns(headers: Mapping[str, str], text: str, separator: str) -> _Columns:
    """Return the columns; `separator` is that of a text without headers."""
    named = _SEPARATORS.get(headers.get("separator", "tab").strip().lower(), "\t")
    separator = separator or named
    is_html = "true" if headers or _MARKUP.search(text) else "false"
    names = enumerate(headers.get("columns", "").split(separator))
    numbers = {kind: headers.get(f"{kind} column", "").strip() for kind in _NOT_SHOWN}
    return _Columns(
        separator,
        headers.get("html", is_html).strip() == "true",
        {place: name.strip().lower() for place, name in names},
        {
            kind: int(number) - 1
            for kind, number in numbers.items()
            if re.fullmatch(r"[1-9]\d?", number)
        },
    )


def _read_row(  # noqa: PLR0913  what `read` knows
    row: list[str],
    columns: _Columns,
    names: Names,
    language: str,
    origin: Origin,
    *,
    is_guess: bool,
) -> SourceItem:
    reader, sides = FieldReader(origin.line), columns.read_sides(row)
    head = Head(
        origin.line,
        names.assign(read_words(sides.front)),
        language,
        "",
        tags=columns.read_tags(row),
    )
    question = build_question(head, sides, reader)
    if is_guess:
        reader.note("cards_without_header", columns.separator.join(row))
    return build_item(origin.with_name(head.name), question, reader.notes)
