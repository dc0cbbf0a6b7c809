"""What the checks of a bank come to, as plain values: the same for every door."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from uuid import UUID

from quizzes.bank.lint import Finding, Severity


@dataclass(frozen=True, slots=True)
class Meant:
    """Who let a finding stand, and when; of people who are gone the name is empty."""

    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Of:
    """The question that a finding is about, as it was looked at; in a file it has no ids."""

    pk: int | None
    uuid: UUID | None
    name: str
    prompt: str
    digest: str


@dataclass(frozen=True, slots=True)
class Told:
    """A finding, the question it is of (None: of the bank), the row, and whether it is meant."""

    finding: Finding
    question: Of | None
    row: str
    meant: Meant | None


@dataclass(frozen=True, slots=True)
class Score:
    """What a way of answering without knowledge earns on average, over so many questions."""

    mean: Fraction
    questions: int


@dataclass(frozen=True)
class Checks:
    """What was found in a bank: what is open, what was let stand; and two figures of it all.

    `everything` is what ticking all options earns, `guess` what an answer by lot does; None where
    no question can be answered so.
    """

    questions: int
    findings: tuple[Told, ...]
    everything: Score | None
    guess: Score | None

    @cached_property
    def open(self) -> tuple[Told, ...]:
        """What is to be looked at."""
        return tuple(checked for checked in self.findings if checked.meant is None)

    @cached_property
    def waived(self) -> tuple[Told, ...]:
        """What was let stand."""
        return tuple(checked for checked in self.findings if checked.meant is not None)

    def counts(self) -> dict[Severity, int]:
        """Count what is open by severity."""
        return {
            severity: sum(checked.finding.severity == severity for checked in self.open)
            for severity in Severity
        }
