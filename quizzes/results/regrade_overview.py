"""The regrades of a quiz: questions corrected since, attempts by older versions, rules so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import User
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.attempts.models import State
from quizzes.bank.models import Question
from quizzes.publishing.access import check_owning_group, editable_by
from quizzes.publishing.models import PoolCandidate, Quiz
from quizzes.results.models import ItemResult, RegradeAction, RegradeRule, Result
from quizzes.results.pending_changes import (
    NO_CHANGES,
    PendingChanges,
    find_pending_changes,
    list_asked_versions,
)

MAX_ATTEMPTS: Final = 10_000
"""In how many attempts, the newest, older versions are counted."""
MAX_QUESTIONS: Final = 500


@dataclass(frozen=True, slots=True)
class CorrectedQuestion:
    """A question with a newer version than attempts of the quiz have, and how many these are.

    `pending` is what a regrade by the key leaves out.
    """

    question: Question
    attempts: int
    last_rule: RegradeRule | None
    pending: PendingChanges = NO_CHANGES

    @property
    def is_regraded(self) -> bool:
        """Whether there is a rule by the newest version."""
        return self.last_rule is not None and (
            self.last_rule.version_id == self.question.current_id
        )


@dataclass(frozen=True, slots=True)
class CommittedRegrade:
    """A rule, and how many results it was not yet applied to; whether another reverted it."""

    rule: RegradeRule
    waiting: int
    is_reverted: bool


@dataclass(frozen=True, slots=True)
class RegradeOverview:
    """What of a quiz can be regraded, and what was; attempts are counted in the newest alone.

    `all_questions` are all questions of its versions, corrected or not, each with what is new of it
    besides its key.
    """

    questions: Sequence[CorrectedQuestion]
    all_questions: Sequence[tuple[Question, PendingChanges]]
    rules: Sequence[CommittedRegrade]
    has_more_attempts: bool


def load_regrade_overview(*, quiz: Quiz, viewer: User) -> RegradeOverview:
    """Return the regrades of a quiz, of the questions whose keys this person may see.

    Who does not teach the class of the quiz: NotFound.
    """
    check_owning_group(viewer, quiz)
    rules = list_committed_regrades(quiz)
    readable = dict(
        questions_whose_keys_are_visible_to(viewer)
        .filter(Exists(_list_candidates(quiz)))
        .values_list("pk", "current")
    )
    versions = list_asked_versions(quiz, readable)
    older = {
        row.version: question
        for question, rows in versions.items()
        for row in rows
        if row.version != readable[question]
    }
    count_by_question = dict.fromkeys(older.values(), 0)
    counted = Result.objects.filter(
        quiz=quiz, attempt__state=State.GRADED, attempt__is_staff_attempt=False
    ).order_by("-pk")
    has_more_attempts = counted[MAX_ATTEMPTS : MAX_ATTEMPTS + 1].exists()
    if count_by_question:
        count_by_question |= (
            ItemResult.objects.filter(
                version__in=older, grading__in=counted.values("grading")[:MAX_ATTEMPTS]
            )
            .order_by()
            .values_list("version__question")
            .annotate(count=Count("pk"))
        )
    last_by_question = {
        row.rule.version.question_id: row.rule
        for row in rules
        if row.rule.action == RegradeAction.KEY and not row.is_reverted
    }
    questions = list(
        Question.objects.filter(pk__in=count_by_question)
        .select_related("bank", "current")
        .order_by("-current__created_at", "pk")
    )
    all_questions = list(
        Question.objects.filter(pk__in=readable)
        .select_related("bank", "current")
        .order_by("bank__slug", "name")[:MAX_QUESTIONS]
    )
    committed = [row.rule for row in rules]
    pending = find_pending_changes(quiz, [*questions, *all_questions], versions, committed)
    return RegradeOverview(
        [
            CorrectedQuestion(
                question,
                count_by_question[question.pk],
                last_by_question.get(question.pk),
                pending[question.pk],
            )
            for question in questions
            if count_by_question[question.pk] or has_more_attempts
        ],
        [(question, pending[question.pk]) for question in all_questions],
        rules[::-1],
        has_more_attempts,
    )


def _list_candidates(quiz: Quiz) -> QuerySet[PoolCandidate]:
    return PoolCandidate.objects.filter(
        version__question=OuterRef("pk"), item__quiz_version__quiz=quiz
    )


def list_committed_regrades(quiz: Quiz) -> list[CommittedRegrade]:
    """Return the rules of a quiz in their order, and how many results each was not applied to."""
    rules = list(
        RegradeRule.objects.filter(quiz=quiz)
        .select_related("version__question__bank", "by")
        .order_by("number")
    )
    if not rules:
        return []
    applied = dict(
        Result.objects.filter(quiz=quiz, regrade_rules_applied__lt=rules[-1].number)
        .order_by()
        .values_list("regrade_rules_applied")
        .annotate(count=Count("pk"))
    )
    reverted = {rule.reverts for rule in rules}
    return [
        CommittedRegrade(
            rule,
            sum(count for number, count in applied.items() if number < rule.number),
            rule.number in reverted,
        )
        for rule in rules
    ]


def list_quizzes_with_older_versions(*, question: Question, viewer: User) -> list[Quiz]:
    """Return the quizzes of one's classes of which a counted attempt has an older version.

    A question whose key this person may not see has none.
    """
    if not questions_whose_keys_are_visible_to(viewer).filter(pk=question.pk).exists():
        return []
    older = ItemResult.objects.filter(
        ~Q(version=question.current_id),
        version__question=question,
        grading__attempt__quiz=OuterRef("pk"),
        grading__attempt__state=State.GRADED,
        grading__attempt__is_staff_attempt=False,
    )
    return list(editable_by(viewer).filter(Exists(older)).order_by("slug"))
