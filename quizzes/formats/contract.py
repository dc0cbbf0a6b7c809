"""What every format reads into: questions, and errors that name their line. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol

from grading.json_types import Json
from grading.schema import Text

Texts = Mapping[str, str]
"""Language → text."""

LONGEST_QUOTE = 200
"""How many characters a note quotes, at most."""


@dataclass(frozen=True, slots=True)
class FileError:
    """An error that keeps a whole file out: line (from 1), place in it, stable code, message."""

    line: int
    where: str
    code: str
    message: str

    def __str__(self) -> str:
        place = f", {self.where}" if self.where else ""
        return f"line {self.line}{place}: {self.message}"


FieldTexts = Mapping[Text, Texts]
"""Texts by the text field of the schema: feedback and words of one name stay apart."""


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """One row of a table (an option, an accepted answer), identified by its name in the question.

    `values` are by field of the schema; a field that refers to rows has their names.
    """

    line: int
    name: str
    values: Mapping[str, Json] = field(default_factory=dict)
    texts: FieldTexts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """One question of a file: fields, texts and tables as the schema of its kind has them."""

    line: int
    name: str
    kind: str
    scoring_method: str
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    texts: FieldTexts = field(default_factory=dict)
    tables: Mapping[str, tuple[ParsedRow, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[ParsedRow, ...]:
        """Return the rows of all tables."""
        return tuple(row for rows in self.tables.values() for row in rows)

    @property
    def all_texts(self) -> tuple[Texts, ...]:
        """Return each of its texts, and of its rows', by language."""
        fields = (self.texts, *(row.texts for row in self.rows))
        return tuple(texts for field_texts in fields for texts in field_texts.values())

    @property
    def languages(self) -> frozenset[str]:
        """Return the languages that any of its texts has."""
        return frozenset(language for texts in self.all_texts for language in texts)


class ImportStatus(StrEnum):
    """The result for one item of a file: each has exactly one, so that the counts add up."""

    IMPORTED = "imported"
    REPAIRED = "repaired"  # the notes say how
    REVIEW = "needs_review"  # imported as far as it could be read; a person must look
    REFUSED = "refused"  # no question was made; the notes say why


@dataclass(frozen=True, slots=True)
class Note:
    """A note on an item: a stable code, the line it is about, and the text of the file there."""

    code: str
    line: int
    quote: str = ""
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """An answer, in words, that earns another share of the points here than in the file."""

    answer: tuple[str, ...]
    in_file: Fraction
    here: Fraction


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """What a sample of answers earns by the rules of the file and here.

    `compared`: how many answers. `reason`: the code of why none was, `quote` what the file has
    there. `is_told`: the item's notes explain the differences.
    """

    compared: int = 0
    reason: str = ""
    quote: str = ""
    differences: tuple[ScoreDifference, ...] = ()
    is_told: bool = False

    @property
    def has_surprise(self) -> bool:
        """Return whether there is a difference that no note explains."""
        return bool(self.differences) and not self.is_told


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One item of a file: lines `line` to `end_line` of `archive_path` ("": of the file itself).

    `kind` is ours if it is known, else the file's own name for it. `points` is the item's weight
    in the file. `comparison` is of its scores, where it has been made.
    """

    line: int
    end_line: int
    name: str
    kind: str
    status: ImportStatus
    question: ParsedQuestion | None = None
    notes: tuple[Note, ...] = ()
    archive_path: str = ""
    points: Fraction | None = None
    is_damaged: bool = False  # its key is unknown, or a part of it is missing
    keys: tuple[Note, ...] = ()  # what was read as its key and is in no text
    remainder: tuple[Note, ...] = ()  # its lines that are in no text, no key and no note
    comparison: ScoreComparison | None = None


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """What a file says about itself: empty or None where it says nothing."""

    title: str = ""
    language: str = ""
    grade: Fraction | None = None
    pass_threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file: its items in their order, each with its status.

    `slug` and `fields` are the bank's, if the file names one. `errors` keep the whole file out.
    `media` are the files in it, by the name that texts use (`media:<name>`). `ignored_lines`
    belong to no item (the menu of a page, say): they are reported, not lost. `remainder` are the
    lines outside of all items that are in no text and no note; an item has its own.
    """

    slug: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[SourceItem, ...] = ()
    errors: tuple[FileError, ...] = ()
    metadata: FileMetadata = field(default_factory=FileMetadata)
    media: Mapping[str, bytes] = field(default_factory=dict)
    ignored_lines: tuple[Note, ...] = ()
    remainder: tuple[Note, ...] = ()

    @property
    def questions(self) -> tuple[ParsedQuestion, ...]:
        """Return the questions of its items, in their order."""
        return tuple(item.question for item in self.items if item.question is not None)

    def counts(self) -> dict[str, int]:
        """Return how many items have each status; the sum is the number of items."""
        tally = Counter(item.status for item in self.items)
        return {status: tally[status] for status in ImportStatus}


@dataclass(frozen=True, slots=True)
class ExportWarning:
    """What a format cannot hold: the question's name and a stable code."""

    question: str
    code: str
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The exported bytes, and what could not be exported."""

    data: bytes
    warnings: tuple[ExportWarning, ...] = ()


class Format(Protocol):
    """A file format: a module with these names, registered by one line in `formats`.

    A format that can only be read has no `write`.
    """

    name: str
    extensions: tuple[str, ...]  # of file names, the usual one first

    def detect(self, data: bytes, filename: str) -> bool:
        """Return whether these bytes look like this format; never raises."""

    def read(self, data: bytes, *, language: str = "") -> ParsedFile:
        """Return the parsed file; never raises for what is in it: each item has its status.

        `language` is that of its texts, if it was given; else the format or the text decides.
        """


class FormatWriter(Protocol):
    """A format that can also be written."""

    def write(self, parsed_file: ParsedFile, *, language: str) -> ExportResult:
        """Return the exported questions in one language, or in all if the format holds several."""
