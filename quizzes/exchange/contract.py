"""What every format reads into: a parcel of questions, and troubles that name their line. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

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


@dataclass(frozen=True, slots=True)
class ParcelOption:
    """One choice, known by its name inside the question."""

    name: str
    right: bool
    pinned: bool
    text: Texts
    feedback: Texts


@dataclass(frozen=True, slots=True)
class ParcelQuestion:
    """One question as a file tells it."""

    line: int
    name: str
    kind: str
    scheme: str
    tags: tuple[str, ...]
    shuffle: bool
    none_apply: bool
    prompt: Texts
    explanation: Texts
    options: tuple[ParcelOption, ...]


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
