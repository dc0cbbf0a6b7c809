"""What every format reads into: a parcel of questions, and troubles that name their line. Pure."""

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


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a file: the line (from 1), the place in it, a stable code, the words."""

    line: int
    where: str
    code: str
    message: str

    def __str__(self) -> str:
        place = f", {self.where}" if self.where else ""
        return f"line {self.line}{place}: {self.message}"


Said = Mapping[Text, Texts]
"""What is said, by the text of the shape: so that feedback and words of one name stay apart."""


@dataclass(frozen=True, slots=True)
class ParcelRow:
    """One row of a table (an option, an accepted answer), known by its name inside the question.

    `values` by field of the shape; where a field names rows, it has their names.
    """

    line: int
    name: str
    values: Mapping[str, Json] = field(default_factory=dict)
    said: Said = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParcelQuestion:
    """One question as a file tells it: fields, texts and tables as its kind's shape has them."""

    line: int
    name: str
    kind: str
    scoring_method: str
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    said: Said = field(default_factory=dict)
    tables: Mapping[str, tuple[ParcelRow, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[ParcelRow, ...]:
        """The rows of all tables."""
        return tuple(row for rows in self.tables.values() for row in rows)


class Verdict(StrEnum):
    """What became of one item of a file: each has exactly one, so that their counts add up."""

    IMPORTED = "imported"
    REPAIRED = "repaired"  # the notes say how
    REVIEW = "needs_review"  # it came in as far as it could be read; a person must look
    REFUSED = "refused"  # no question came of it; the notes say why


@dataclass(frozen=True, slots=True)
class Note:
    """A word on an item: a stable code, the line it is about, and the file's own words there."""

    code: str
    line: int
    quote: str = ""
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One item of a file: lines `line` to `last` of `member` (of the file itself, if that is "").

    `kind` is ours where it is known, else the file's own word for it. `points` is what the file
    says it is worth.
    """

    line: int
    last: int
    name: str
    kind: str
    verdict: Verdict
    question: ParcelQuestion | None = None
    notes: tuple[Note, ...] = ()
    member: str = ""
    points: Fraction | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of itself; what it does not say is empty or None."""

    title: str = ""
    language: str = ""
    grade: Fraction | None = None
    pass_mark: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file as it was understood: its items in their order, each with its verdict.

    `slug` and `fields` are the bank's, where the file names one. `troubles` keep the whole file
    out. `media` are the files it brought, by the name that texts call them `media:<name>`.
    `noise` are lines that belong to no item (a page's menu, say), told and not lost.
    """

    slug: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    found: tuple[Found, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    about: About = field(default_factory=About)
    media: Mapping[str, bytes] = field(default_factory=dict)
    noise: tuple[Note, ...] = ()

    @property
    def questions(self) -> tuple[ParcelQuestion, ...]:
        """The questions that came of it, in their order."""
        return tuple(one.question for one in self.found if one.question is not None)

    def counts(self) -> dict[str, int]:
        """Count the items by verdict; the sum is what the file holds."""
        tally = Counter(one.verdict for one in self.found)
        return {verdict: tally[verdict] for verdict in Verdict}


@dataclass(frozen=True, slots=True)
class Loss:
    """What a format cannot hold: of which question, and a stable code."""

    question: str
    code: str
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """A file made of a parcel, and what did not go into it."""

    data: bytes
    losses: tuple[Loss, ...] = ()


class Format(Protocol):
    """A file format: a module with these names, registered by one line in `formats`.

    One that cannot be written has no `write`; the register says so.
    """

    name: str
    endings: tuple[str, ...]  # of file names, the usual one first

    def claims(self, data: bytes, filename: str) -> bool:
        """Tell whether these bytes look like this format; never raises."""

    def read(self, data: bytes, *, language: str = "") -> Parcel:
        """Read a file; never raises for what is in it, but says item by item what came of it.

        `language` is that of its words, where somebody said so; else the format or the text tells.
        """


class Writer(Protocol):
    """A format that can be written, too."""

    def write(self, parcel: Parcel, *, language: str) -> Written:
        """Write the questions in one language, or in all where the format holds several."""
