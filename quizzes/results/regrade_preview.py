"""What the newest key of a question would change: each attempt graded by an older one. Reads only.

Nothing is graded anew here; `regrading.py` does that, and comes to the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from grading import totals
from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import State
from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib.cpu_limit import TookTooLong, run_limited
from quizzes.lib.errors import Corrupt, Refused
from quizzes.lib.row_reading import UNREADABLE
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.corrections import BY_KEY, choose_credit
from quizzes.results.double_grading import OVERRIDDEN
from quizzes.results.models import ItemResult, Result
from quizzes.results.regrade_notices import build_score
from quizzes.results.regrade_rules import has_same_content
from quizzes.results.scoring import MAX_SECONDS

CHUNK_SIZE: Final = 200
"""How many attempts are in memory at a time."""


class PreviewProblem(StrEnum):
    """Why an attempt has no score by the newest key."""

    CONTENT_DIFFERS = "content_differs"  # its learner was shown other options, fields or a kind
    ERASED = "erased"
    UNREADABLE = "unreadable"
    TOOK_TOO_LONG = "took_too_long"


@dataclass(frozen=True, slots=True)
class RegradePreview:
    """A result as it counts now, and its score by the newest key; None where there is a problem."""

    result: Result
    before: Score | None
    after: Score | None
    problem: PreviewProblem | None = None

    @property
    def changes(self) -> bool:
        """Whether the points or the pass would be others."""
        return self.before != self.after


def preview_regrade(
    *, quiz: Quiz, question: Question, policy: str = BY_KEY
) -> Iterator[RegradePreview]:
    """Yield each graded attempt of a quiz that was marked by an older version of the question.

    What `regrading.commit_regrade` with this policy comes to. The newest key is applied by the ids
    of options, with the scoring method and the points that the attempt has. Attempts of staff and
    void ones are left out; marks by persons stay. Memory is constant. A question that was never
    published: Refused.
    """
    previews = preview_policies(quiz=quiz, question=question, policies=(policy,))
    return (preview for (preview,) in previews)


def preview_policies(
    *, quiz: Quiz, question: Question, policies: Sequence[str], after: int = 0
) -> Iterator[tuple[RegradePreview, ...]]:
    """Yield, as `preview_regrade` does, each attempt by each of these policies.

    `after` is the primary key of the last result that a reader has seen.
    """
    if question.current is None:
        raise Refused("not_published")
    current = question.current
    versions = {version.pk: version for version in question.versions.all()}
    key = load_keys_and_feedback([current.uuid])[current.uuid].key
    results = list_older_results(quiz, question, current).filter(pk__gt=after)
    return (
        _preview(result, versions, current, key, policies)
        for result in results.iterator(CHUNK_SIZE)
    )


def list_older_results(
    quiz: Quiz, question: Question, current: QuestionVersion
) -> QuerySet[Result]:
    """Return the results that count and have a slot with another version of the question."""
    older = ItemResult.objects.filter(
        grading=OuterRef("grading"), version__question=question
    ).exclude(version=current)
    return (
        Result.objects.filter(
            Exists(older),
            quiz=quiz,
            attempt__state=State.GRADED,
            attempt__is_staff_attempt=False,
        )
        .select_related("attempt", "learner", "grading")
        .prefetch_related("grading__item_results")
        .order_by("pk")
    )


def _preview(
    result: Result,
    versions: Mapping[int, QuestionVersion],
    current: QuestionVersion,
    key: Mapping[str, Any],
    policies: Sequence[str],
) -> tuple[RegradePreview, ...]:
    """Return a result by each policy; one that has a problem has it by each."""
    before = None
    try:
        manifest = Manifest.from_json(result.attempt.manifest)
        before = build_score(result.grading, manifest.threshold)
    except (Corrupt, *UNREADABLE):
        return _repeat_problem(result, before, PreviewProblem.UNREADABLE, policies)
    item_results = sorted(result.grading.item_results.all(), key=lambda row: row.slot)
    replaced = [
        row for row in item_results if row.version_id in versions and not _is_overridden(row)
    ]
    if any(not has_same_content(versions[row.version_id], current) for row in replaced):
        return _repeat_problem(result, before, PreviewProblem.CONTENT_DIFFERS, policies)
    if any(row.erasure_id is not None for row in replaced):
        return _repeat_problem(result, before, PreviewProblem.ERASED, policies)
    compute = partial(_compute_credits, replaced, manifest, current, key, policies)
    try:
        credits_by_slot = run_limited(compute, seconds=MAX_SECONDS)
    except TookTooLong:
        return _repeat_problem(result, before, PreviewProblem.TOOK_TOO_LONG, policies)
    except UNREADABLE:
        return _repeat_problem(result, before, PreviewProblem.UNREADABLE, policies)
    return tuple(
        RegradePreview(
            result,
            before,
            _rescore(
                before, item_results, {slot: row[place] for slot, row in credits_by_slot.items()}
            ),
        )
        for place in range(len(policies))
    )


def _repeat_problem(
    result: Result, before: Score | None, problem: PreviewProblem, policies: Sequence[str]
) -> tuple[RegradePreview, ...]:
    return (RegradePreview(result, before, None, problem),) * len(policies)


def _is_overridden(row: ItemResult) -> bool:
    """Return whether a person's score stands in place of the computed one, which no key changes."""
    return isinstance(row.score, dict) and OVERRIDDEN in row.score.get("reasons", ())


def _compute_credits(
    item_results: Sequence[ItemResult],
    manifest: Manifest,
    current: QuestionVersion,
    key: Mapping[str, Any],
    policies: Sequence[str],
) -> dict[int, tuple[Fraction, ...]]:
    """Return the credit of each policy by slot; a slot that is marked by persons has none here."""
    credits_by_slot = {}
    for row in item_results:
        by_key = KINDS[current.kind].score(
            current.content, key, row.answer, manifest.slots[row.slot].scoring_method
        )
        if row.credit is not None and isinstance(by_key, ItemScore):
            credits_by_slot[row.slot] = tuple(
                choose_credit(policy, row.credit, by_key.credit) for policy in policies
            )
    return credits_by_slot


def _rescore(
    before: Score, item_results: Sequence[ItemResult], credit_by_slot: Mapping[int, Fraction]
) -> Score:
    """Return the score with other credit_by_slot in some slots."""
    total = totals.add_points(
        (credit, Fraction(row.points_numerator, row.points_denominator))
        for row in item_results
        if (credit := credit_by_slot.get(row.slot, row.credit)) is not None
    )
    passed = totals.is_passed(total, before.maximum, before.threshold) and not before.provisional
    return replace(before, total=total, passed=passed)
