"""What every format reads into: a parcel of questions, and troubles that name their line. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from grading.plain import Json
from grading.shape import Text

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
    scheme: str
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    said: Said = field(default_factory=dict)
    tables: Mapping[str, tuple[ParcelRow, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[ParcelRow, ...]:
        """The rows of all tables."""
        return tuple(row for rows in self.tables.values() for row in rows)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question of a kind that does not exist here yet: listed, never dropped in silence."""

    line: int
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """A bank as a file tells it."""

    slug: str
    fields: Mapping[str, Any]
    questions: tuple[ParcelQuestion, ...]
    waiting: tuple[Waiting, ...] = ()
    troubles: tuple[Trouble, ...] = field(default=())


class Format(Protocol):
    """A file format: a module with these names."""

    name: str

    def read(self, data: bytes) -> Parcel:
        """Read a file; never raises for what is in it, but lists the troubles."""
