"""How an attempt stands, for list and page alike: its outcome, and what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.access import is_administrator
from accounts.models import User
from quizzes.attempts.models import Attempt, State
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.failures import ALARM, INTERRUPTED, UNFINISHED

PROBLEMS: Mapping[str, Promise] = {
    "manifest_unreadable": _("What was drawn for this attempt cannot be read."),
    "kind_unknown": _("A question of this attempt is of a kind that is not known here."),
    "version_missing": _("A question of this attempt is not there any more."),
    "marks_unreadable": _("The stored marks of this attempt cannot be read."),
    "grader_failed": _("The grader failed on an answer of this attempt."),
    "grader_too_slow": _("Grading an answer of this attempt did not come to an end."),
    "submission_failed": _("The database refused to end this attempt."),
    "interrupted": _("The process that graded this attempt ended before it was done."),
}


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """Whether an attempt passes, in a word, and the class of its mark."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class AttemptProblem:
    """Why an attempt cannot be shown or graded; `detail` is for administrators alone."""

    reason: str
    tries: int
    next_try_at: datetime | None
    detail: str
    is_quarantined: bool = False


def compute_outcome(summary: AttemptSummary) -> AttemptOutcome | None:
    """Return the outcome of a graded attempt; while a person still marks, it is provisional."""
    score = summary.score
    if score is None or summary.state != State.GRADED:
        return None
    if score.provisional:
        return AttemptOutcome("needs_grading", gettext("provisional"))
    if score.passed:
        return AttemptOutcome("passed", gettext("passed"))
    return AttemptOutcome("failed", gettext("not passed"))


def has_grading_failure(attempt: Attempt) -> bool:
    """Return whether ending or grading failed when it was tried last."""
    if attempt.state not in UNFINISHED or not hasattr(attempt, "grading_failure"):
        return False
    return attempt.grading_failure.code != INTERRUPTED or attempt.grading_failure.tries > 1


def find_problem(attempt: Attempt, summary: AttemptSummary, viewer: User) -> AttemptProblem | None:
    """Return what is wrong with an attempt, None if nothing is."""
    if has_grading_failure(attempt):
        failure = attempt.grading_failure
        return AttemptProblem(
            reason=_message(failure.code),
            tries=failure.tries,
            next_try_at=failure.next_try_at,
            detail=failure.detail if is_administrator(viewer) else "",
            is_quarantined=failure.tries >= ALARM,
        )
    return AttemptProblem(_message(summary.problem), 0, None, "") if summary.problem else None


def _message(code: str) -> str:
    return str(PROBLEMS.get(code, code))
