"""The rules of one item as its file has them: the places to answer, and what answers earn."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from html import unescape
from typing import Final

SourceAnswer = Mapping[str, tuple[str, ...]]
"""Response → values: identifiers of choices, pairs of them, or what was typed; none: ()."""

_TAG = re.compile(r"<[^<>]*>|!?\[([^\[\]]*)\]\([^()]*\)")


class Shape(StrEnum):
    """How an item is answered."""

    CHOICE = "choice"  # one place: one or several of its choices
    ORDER = "order"  # one place: all its choices in an order
    SLOTS = "slots"  # several places, each with one choice or one typed text


@dataclass(frozen=True, slots=True)
class SourceOption:
    """A choice as the file has it; `truth` is what it says of a statement, if anything."""

    id: str
    text: str
    truth: bool | None = None


@dataclass(frozen=True, slots=True)
class SourceSlot:
    """One place to answer. `pattern` is how a value of the response is written, `{}` the choice.

    `options` are (): something is typed. `literals` are texts and numbers that the rules name.
    `typed_options`: what is typed is one of the options if it has its words. `points` are those of
    everything there; None: as many as the best value earns.
    """

    response: str
    options: tuple[SourceOption, ...] = ()
    pattern: str = "{}"
    text: str = ""
    literals: tuple[str, ...] = ()
    typed_options: tuple[SourceOption, ...] = ()
    points: Fraction | None = None

    def write_value(self, value: str) -> str:
        """Return the value of the response for a choice, or for what was typed."""
        for option in self.typed_options:
            if option.text.casefold() == value.strip().casefold():
                return option.id
        return self.pattern.replace("{}", value)


@dataclass(frozen=True, slots=True)
class SourceRules:
    """The rules of one item; `compute` returns the points of an answer, or UndeterminedScore.

    `maximum` are the points for everything; None: as many as the best answer earns. Where the file
    keeps scores within bounds, `compute_unbounded` returns the points before these: `minimum` and
    `highest`, None for none. `is_standard`: the file names them, and does not spell them out.
    `read_noted` returns the rules as notes with some of `noted_codes` say that they are here.
    """

    shape: Shape
    slots: tuple[SourceSlot, ...]
    compute: Callable[[SourceAnswer], Fraction]
    maximum: Fraction | None = None
    compute_unbounded: Callable[[SourceAnswer], Fraction] | None = None
    minimum: Fraction | None = None
    highest: Fraction | None = None
    is_standard: bool = False
    noted_codes: frozenset[str] = frozenset()
    read_noted: "Callable[[Collection[str]], SourceRules] | None" = None


BLANKS_IGNORED: Final = "end_blanks_ignored"
"""The note that blanks around what is typed do not count here, and do in the file."""


def ignore_end_blanks(
    compute: Callable[[SourceAnswer], Fraction], slots: Iterable[SourceSlot]
) -> Callable[[SourceAnswer], Fraction]:
    """Return a rule for which blanks around what is typed do not count.

    Where a text that is asked for has some itself, they do.
    """
    trimmed = {
        slot.response
        for slot in slots
        if not slot.options and all(text == text.strip() for text in slot.literals)
    }

    def compute_trimmed(answer: SourceAnswer) -> Fraction:
        return compute(
            {
                response: tuple(map(str.strip, values)) if response in trimmed else values
                for response, values in answer.items()
            }
        )

    return compute_trimmed


@dataclass(frozen=True, slots=True)
class NotComparable(Exception):
    """The rules of an item cannot be followed here: a stable code and what the file has there."""

    code: str
    quote: str = ""


class UndeterminedScore(Exception):
    """A file does not say what an answer earns, though it does of others."""


@dataclass(frozen=True, slots=True)
class LocatedRules:
    """The rules of the item that begins on this line of a member ("" for a single file)."""

    member: str
    line: int
    rules: SourceRules | NotComparable


def locate_rules(
    member: str, line: int, read_rules: Callable[[], SourceRules]
) -> Iterator[LocatedRules]:
    """Yield the rules of one item, or why they cannot be followed."""
    try:
        yield LocatedRules(member, line, read_rules())
    except NotComparable as reason:
        yield LocatedRules(member, line, reason)


def simplify_text(text: str) -> str:
    """Return the letters and digits of a text, without tags and Markdown, to recognise it by."""
    plain = _TAG.sub(lambda match: match[1] or "", unescape(text))
    return "".join(filter(str.isalnum, plain)).casefold() or "".join(plain.split())


def clamp_share(share: Fraction) -> Fraction:
    """Return a share from 0 to 1."""
    return min(max(share, Fraction(0)), Fraction(1))
