"""Tables as a parcel: the header is found, each row becomes an item, all else is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from quizzes.formats.builders import Head
from quizzes.formats.builders.languages import alike, together
from quizzes.formats.contract import (
    FileMetadata,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.naming import Names, slug
from quizzes.formats.parsing.percentages import fraction
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.spreadsheet.checking import REVIEW, check, note_left_out
from quizzes.formats.spreadsheet.columns import Column, fits, headings
from quizzes.formats.spreadsheet.keys import Told, told
from quizzes.formats.spreadsheet.made import question
from quizzes.formats.spreadsheet.record import Record
from quizzes.formats.spreadsheet.speech import header, speech
from quizzes.formats.tables import MOST_COLUMNS, Row, Table, Tables


@dataclass(slots=True)
class Reading:
    """A file while it is read: its names are its own, what belongs to no row is noise."""

    language: str
    guarded: bool
    noise: list[Note] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    _given: set[str] = field(default_factory=set)

    def found(self, table: Table) -> Iterator[SourceItem]:
        """Give the items of a table; one without a header has none."""
        columns: Mapping[int, Column] = {}
        start = header(table)
        if start is None:
            self.noise.append(Note("sheet_without_header", 1, table.member))
            return
        for row in table.rows[:start]:
            self._beside("row_before_header", row, table.member)
        for row in table.rows[start:]:
            if fits(row.cells):
                columns = self._columns(row, table.member)
            elif any(row.cells[at].strip() for at in columns if at < len(row.cells)):
                record = Record(row, columns, self.language, guarded=self.guarded)
                if not record.languages() and not record.cell("correct"):
                    self._beside("row_not_read", row, table.member)
                    continue
                place = Origin(row.line, row.last, table.member)
                yield read_item(partial(self._item, record, table.member), place)
            else:
                self._beside("row_not_read", row, table.member)

    def _columns(self, row: Row, member: str) -> Mapping[int, Column]:
        columns = headings(row.cells)
        for at, cell in enumerate(row.cells[:MOST_COLUMNS]):
            if at not in columns and cell.strip():
                self._tell("column_unknown", row, cell.strip(), member)
        return columns

    def _beside(self, code: str, row: Row, member: str) -> None:
        self._tell(code, row, " | ".join(filter(None, map(str.strip, row.cells))), member)

    def _tell(self, code: str, row: Row, words: str, member: str) -> None:
        quote = f"{member}: {words}" if member else words
        self.noise.append(Note(code, row.line, quote[:200]))

    def _item(self, record: Record, member: str) -> SourceItem:
        spoken = record.languages() or (self.language,)
        first = record.text("question", spoken[0])
        name = self._name(record, first)
        given = told(record)
        place = Origin(record.row.line, record.row.last, member)
        if isinstance(given, str):
            code = "kind_not_in_sheet" if given == "cloze" else "kind_unknown"
            record.note(code, record.cell("kind"))
            return build_item(place.with_name(name, given), None, record.notes)
        made = self._question(record, given, name, spoken)
        note_left_out(record)
        check(record, given, spoken)
        points = _points(record)
        return build_item(place.with_name(name, points=points), made, record.notes, review=REVIEW)

    def _name(self, record: Record, prompt: str) -> str:
        said = slug(record.cell("name"))
        if said and said in self._given:
            record.note("name_twice", record.cell("name"))
        self._given.add(said)
        return self.names.name(said, prompt)

    def _question(
        self, record: Record, given: Told, name: str, spoken: Sequence[str]
    ) -> ParsedQuestion:
        tags = tuple(dict.fromkeys(filter(None, map(slug, _parted(record.cell("tags"))))))
        head = Head(record.row.line, name, "", "", tags=tags)
        made = [question(record, given, _head(record, head, one)) for one in spoken]
        fit = [one for one in made if alike(made[0], one)]
        if len(fit) < len(made):
            record.note("languages_differ", " / ".join(spoken))
        return together(*fit)


def parcel(tables: Tables, language: str, *, guarded: bool) -> ParsedFile:
    """Read all tables; `guarded`: an apostrophe may stand before what a spreadsheet would run."""
    spoken, known = speech(tables, language)
    reading = Reading(spoken, guarded, list(tables.noise))
    found = tuple(one for table in tables.tables for one in reading.found(table))
    if not known and found:
        reading.noise.append(Note("language_unknown", 1))
    return ParsedFile(
        items=found,
        errors=tables.troubles,
        metadata=FileMetadata(language=spoken if known else ""),
        ignored_lines=tuple(reading.noise),
    )


def _head(record: Record, head: Head, language: str) -> Head:
    prompt, explanation = (record.text(one, language) for one in ("question", "explanation"))
    return replace(head, language=language, prompt=prompt, explanation=explanation)


def _parted(cell: str) -> list[str]:
    return cell.replace(";", ",").replace("\n", ",").split(",")


def _points(record: Record) -> Fraction | None:
    cell = record.cell("points").replace(",", ".")
    found = fraction(cell)
    if cell and (found is None or found < 0):
        record.note("points_unreadable", cell)
        return None
    return found
