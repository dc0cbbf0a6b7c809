"""What the checks of a bank come to, as plain values: the same for every interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from uuid import UUID

from quizzes.bank.lint import Finding, Severity


@dataclass(frozen=True, slots=True)
class WaivedBy:
    """Who waived a finding, and when; of people who are gone the name is empty."""

    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class QuestionRef:
    """The question that a finding is about, as it was looked at; in a file it has no ids."""

    pk: int | None
    uuid: UUID | None
    name: str
    prompts: Mapping[str, str]
    source_language: str
    digest: str


@dataclass(frozen=True, slots=True)
class CheckedFinding:
    """A finding, the question it is of (None: of the bank), the row, and who waived it."""

    finding: Finding
    question: QuestionRef | None
    row: str
    waived_by: WaivedBy | None


@dataclass(frozen=True, slots=True)
class AverageScore:
    """What a way of answering without knowledge earns on average, over so many questions."""

    mean: Fraction
    questions: int


@dataclass(frozen=True, slots=True)
class BankFindings:
    """What is found in a bank or a file, whoever waived it; with no ids of questions.

    `refs` are the questions that have findings, `rows` the short names of their rows by id.
    """

    question_count: int
    findings: tuple[Finding, ...]
    refs: tuple[QuestionRef, ...]
    rows: Mapping[str, str]
    everything: AverageScore | None
    guess: AverageScore | None


@dataclass(frozen=True)
class CheckReport:
    """What was found in a bank: what is open, what was waived; and two figures of it all.

    `everything` is what ticking all options earns, `guess` what an answer by lot does; None where
    no question can be answered so.
    """

    questions: int
    findings: tuple[CheckedFinding, ...]
    everything: AverageScore | None
    guess: AverageScore | None

    @cached_property
    def open(self) -> tuple[CheckedFinding, ...]:
        """What is to be looked at."""
        return tuple(checked for checked in self.findings if checked.waived_by is None)

    @cached_property
    def waived(self) -> tuple[CheckedFinding, ...]:
        """What was waived."""
        return tuple(checked for checked in self.findings if checked.waived_by is not None)

    def counts(self) -> dict[Severity, int]:
        """Count what is open by severity."""
        return {
            severity: sum(checked.finding.severity == severity for checked in self.open)
            for severity in Severity
        }
