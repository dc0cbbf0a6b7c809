"""Numbers of an answer that can be read in two ways, of which their writer did not say which."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import capfirst

from grading.numeric.parsing import is_unconfirmed
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation.excerpts import quote
from quizzes.presentation.kinds import PRESENTED_KINDS, AsksForNumbers, NamesParts
from quizzes.presentation.number_questions import describe_reading

Number = tuple[str, Mapping[str, Any]]
"""The path of a part, "" for the answer itself, and its canonical number."""


def find_unconfirmed(kind: str, answer: Mapping[str, Any] | None) -> Iterator[Number]:
    """Yield those of a canonical answer."""
    presented = PRESENTED_KINDS[kind]
    if answer is not None and isinstance(presented, AsksForNumbers):
        numbers = presented.list_numbers(answer)
        yield from ((path, number) for path, number in numbers if is_unconfirmed(number))


def describe_unconfirmed(
    public_version: PublicVersion, answer: Mapping[str, Any] | None, language: str
) -> list[str]:
    """Return a sentence for each: what was typed, and how it counts as long as nobody says more."""
    presented, sentences = PRESENTED_KINDS[public_version.kind], []
    for path, number in find_unconfirmed(public_version.kind, answer):
        name = (
            presented.part_name(public_version, path, language)
            if isinstance(presented, NamesParts)
            else ""
        )
        reading = f"{quote(number['typed'])}: {describe_reading(number, language)}"
        sentences.append(f"{name}, {reading}" if name else capfirst(reading))
    return sentences
