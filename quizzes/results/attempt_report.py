"""What a report on an attempt is made of: plain values, with whatever may not be shown left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from grading import totals
from grading.contract import LedgerLine
from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.attempts.rules import StartEligibility
from quizzes.bank.selectors import PublicVersion
from quizzes.results import reveal


@dataclass(frozen=True, slots=True)
class Score:
    """An outcome in exact numbers; `percent` is its one way of being displayed."""

    total: Fraction
    maximum: Fraction
    threshold: Fraction
    passed: bool
    provisional: bool

    @property
    def percent(self) -> str:
        """The share in per cent, without the sign, cut off and never up to a missed pass mark."""
        return totals.format_percent(self.total, self.maximum, self.threshold)


@dataclass(frozen=True, slots=True)
class AttemptSummary:
    """One attempt in a list; no score where it may not be shown yet.

    `problem`: what is stored of it cannot be read, so nothing else is shown; a code, "" for none.
    `receipt_digest` is hexadecimal, "" while there is no receipt. `is_staff_attempt`: whoever took
    it could see the answers, so it counts in no grade.
    """

    attempt: UUID
    quiz: UUID
    slug: str
    title: Mapping[str, str]
    source_language: str
    number: int
    state: str
    submission_reason: str
    started_at: datetime
    submitted_at: datetime | None
    deadline_at: datetime | None
    learner: UUID
    learner_name: str
    learner_school_id: str
    learner_confirmed: bool
    score: Score | None
    visibility: reveal.Visibility
    updated_at: datetime
    problem: str = ""
    receipt_digest: str = ""
    receipt_issued_at: datetime | None = None
    is_staff_attempt: bool = False
    gives_certificates: bool = False

    def title_in(self, language: str) -> str:
        """Return the title in this language, else in the source's."""
        return self.title.get(language) or self.title.get(self.source_language, "")


@dataclass(frozen=True, slots=True)
class QuizGradeSummary:
    """What a learner's attempts at a quiz come to; `attempt` is the one that counts, if one does.

    Without a score, also which attempt counts stays unsaid.
    """

    quiz: UUID
    slug: str
    title: Mapping[str, str]
    source_language: str
    policy: str
    attempts_graded: int
    attempt: UUID | None
    score: Score | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """One question of a report. What may not be shown is None or empty.

    `feedback` is HTML by id of a row, or by name of a text of its own (`otherwise`, `back`), of
    what may be shown; `remarks` is what is said to the score and to what was chosen together, as
    HTML; `ledger` is what may be shown of it; `hints` and `reading_link` are HTML, of a question
    that was not got right. Of persons who marked it, `comments` is what they
    wrote, plain, and `levels` {criterion id: level id} what they chose, its words in `feedback`.
    `is_bonus`: its points are not in the maximum.
    """

    slot: int
    public_version: PublicVersion
    manifest_slot: Slot
    answer: Mapping[str, Any] | None
    credit: Fraction | None
    earned: Fraction | None
    ledger: tuple[LedgerLine, ...]
    reasons: tuple[str, ...]
    solution: Mapping[str, Any] | None
    feedback: Mapping[str, str]
    remarks: tuple[str, ...]
    feedback_language: str
    explanation: str
    needs_grading: bool
    hints: tuple[str, ...] = ()
    reading_link: str = ""
    comments: tuple[str, ...] = ()
    levels: Mapping[str, str] = field(default_factory=dict)
    is_bonus: bool = False

    @property
    def outcome(self) -> str:
        """The outcome as a code: correct, partially_correct, incorrect, unanswered, and so on."""
        if not KINDS[self.manifest_slot.kind].schema.graded:
            return "ungraded"
        if self.needs_grading:
            return "needs_grading"
        if self.answer is None:
            return "unanswered"
        if self.credit is None:
            return "hidden"
        if self.credit == 1:
            return "correct"
        return "partially_correct" if self.credit > 0 else "incorrect"


@dataclass(frozen=True, slots=True)
class RegradeNotice:
    """A regrade that changed a score: what it was, what it became, and why, in plain text."""

    regraded_at: datetime
    before: Score
    after: Score
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttemptReport:
    """A finished attempt, as far as this viewer may see it now.

    Without a manifest nothing of it can be shown; the summary's `problem` says why.
    `next_attempt`: whether and when its learner may try again; None for others, after passing,
    and where the quiz is out of use. `regrades`: the last first; none where no score is shown.
    `total_reason`: why a person replaced the score of the whole attempt; "" where none did, or no
    score is shown.
    """

    summary: AttemptSummary
    manifest: Manifest | None
    questions: tuple[QuestionReport, ...]
    next_attempt: StartEligibility | None
    regrades: tuple[RegradeNotice, ...] = ()
    total_reason: str = ""
