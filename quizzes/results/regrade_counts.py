"""Previews of a regrade for people: counted by policy, and in pages; both end after some seconds.

Whoever waits for a page is told how far it came, and never a part as if it were the whole.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from accounts.models import User
from grading import totals
from quizzes.bank.models import Question
from quizzes.lib import steady_clock
from quizzes.lib.errors import Refused
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.models import RegradeAction, RegradePolicy, Result
from quizzes.results.regrade_access import check_may_regrade
from quizzes.results.regrade_preview import (
    PreviewProblem,
    ProposedRule,
    RegradePreview,
    list_concerned_results,
    preview_rule,
)
from quizzes.results.regrade_rules import POLICIES

MAX_COUNTING_SECONDS: Final = 8.0
PAGE_SIZE: Final = 50


class RegradeChange(StrEnum):
    """What a regrade does to a score."""

    RISES = "rises"
    FALLS = "falls"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class PolicyCounts:
    """What a policy does to how many attempts."""

    policy: RegradePolicy
    rise: int
    now_pass: int
    fall: int
    no_longer_pass: int
    stay: int


@dataclass(frozen=True, slots=True)
class RegradeCounts:
    """The attempts by an older version: of `attempts`, the first `counted` in the time there was.

    Those that cannot be compared keep their score; `problems` says how many and why.
    """

    attempts: int
    counted: int
    policies: Sequence[PolicyCounts]
    problems: Mapping[PreviewProblem, int]

    @property
    def is_complete(self) -> bool:
        """Whether all were counted."""
        return self.counted >= self.attempts


@dataclass(frozen=True, slots=True)
class RegradePage:
    """Attempts that a policy changes, or that cannot be compared, by the order of their results.

    A page that others follow may have fewer rows than there is room for: the time was over. `last`
    is the result that was looked at last, from where the next page goes on.
    """

    rows: Sequence[RegradePreview]
    last: Result | None
    has_more: bool


def find_change(preview: RegradePreview) -> RegradeChange:
    """Return what happens to the points of an attempt; what cannot be compared stays."""
    if preview.before is None or preview.after is None or not preview.changes:
        return RegradeChange.STAYS
    before, after = _compare(preview.before), _compare(preview.after)
    if before == after:
        return RegradeChange.STAYS
    return RegradeChange.RISES if after > before else RegradeChange.FALLS


def _compare(score: Score) -> tuple[Fraction, bool]:
    """Return what makes a score higher: its share, for a drop changes how many points there are."""
    return totals.compute_share(score.total, score.maximum), score.passed


def count_regrade(  # noqa: PLR0913  what is previewed, by whom, and how long
    *,
    quiz: Quiz,
    question: Question,
    viewer: User,
    action: RegradeAction = RegradeAction.KEY,
    reverts: int | None = None,
    points: Fraction | None = None,
    scoring_method: str = "",
    seconds: float = MAX_COUNTING_SECONDS,
) -> RegradeCounts:
    """Return what each policy would do to how many attempts; it counts for so long at most.

    Who may not regrade: NotFound. A question that was never published: Refused.
    """
    check_may_regrade(viewer, quiz, question)
    if question.current is None:
        raise Refused("not_published")
    policies = POLICIES[action]
    proposed = ProposedRule(policies, action, reverts, points, scoring_method)
    begun, counted = steady_clock.seconds(), 0
    counts: Counter[tuple[str, RegradeChange, bool]] = Counter()
    problems: Counter[PreviewProblem] = Counter()
    is_over = False
    for previews in preview_rule(quiz=quiz, question=question, proposed=proposed):
        counted += 1
        if previews[0].problem:
            problems[previews[0].problem] += 1
        else:
            for policy, preview in zip(policies, previews, strict=True):
                counts[policy, find_change(preview), _changes_pass(preview)] += 1
        if steady_clock.seconds() - begun >= seconds:
            is_over = True
            break
    attempts = list_concerned_results(quiz, question, action).count() if is_over else counted
    return RegradeCounts(
        attempts, counted, [_sum_policy(policy, counts) for policy in policies], problems
    )


def _changes_pass(preview: RegradePreview) -> bool:
    before, after = preview.before, preview.after
    return before is not None and after is not None and before.passed != after.passed


def _sum_policy(
    policy: RegradePolicy, counts: Mapping[tuple[str, RegradeChange, bool], int]
) -> PolicyCounts:
    now_pass = counts[policy, RegradeChange.RISES, True]
    no_longer_pass = counts[policy, RegradeChange.FALLS, True]
    return PolicyCounts(
        policy,
        rise=counts[policy, RegradeChange.RISES, False] + now_pass,
        now_pass=now_pass,
        fall=counts[policy, RegradeChange.FALLS, False] + no_longer_pass,
        no_longer_pass=no_longer_pass,
        stay=counts[policy, RegradeChange.STAYS, False],
    )


def list_regrade_page(  # noqa: PLR0913  what is previewed, by whom, and how much of it
    *,
    quiz: Quiz,
    question: Question,
    policy: RegradePolicy,
    viewer: User,
    action: RegradeAction = RegradeAction.KEY,
    reverts: int | None = None,
    points: Fraction | None = None,
    scoring_method: str = "",
    after: int = 0,
    limit: int = PAGE_SIZE,
    seconds: float = MAX_COUNTING_SECONDS,
) -> RegradePage:
    """Return the next attempts that a policy changes; it looks for them for so long at most.

    Who may not regrade: NotFound. A question that was never published: Refused.
    """
    check_may_regrade(viewer, quiz, question)
    begun, rows, last = steady_clock.seconds(), list[RegradePreview](), None
    proposed = ProposedRule((policy,), action, reverts, points, scoring_method)
    previews = preview_rule(quiz=quiz, question=question, proposed=proposed, after=after)
    for (preview,) in previews:
        is_over = last is not None and steady_clock.seconds() - begun >= seconds
        if is_over or len(rows) == limit:
            return RegradePage(rows, last, has_more=True)
        last = preview.result
        if preview.problem or preview.changes:
            rows.append(preview)
    return RegradePage(rows, last, has_more=False)
