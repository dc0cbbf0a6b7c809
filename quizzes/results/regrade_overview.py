"""The regrades of a quiz: questions corrected since, attempts by older versions, rules so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.attempts.models import State
from quizzes.bank.models import Question, QuestionVersion
from quizzes.publishing.access import check_owning_group, editable_by
from quizzes.publishing.models import PoolCandidate, Quiz
from quizzes.results.models import ItemResult, RegradeAction, RegradeRule, Result
from quizzes.results.regrade_rules import list_in_force

MAX_ATTEMPTS: Final = 10_000
"""In how many attempts, the newest, older versions are counted."""
MAX_QUESTIONS: Final = 500
MULTIPLE_CHOICE: Final = "multiple_choice"


@dataclass(frozen=True, slots=True)
class CorrectedQuestion:
    """A question with a newer version than attempts of the quiz have, and how many these are.

    `new_method`: the scoring method of the newest version, where older ones have another and no
    rule has put it in place of that; a regrade by the key leaves it out.
    """

    question: Question
    attempts: int
    last_rule: RegradeRule | None
    new_method: str = ""

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

    `all_questions` are all questions of its versions, corrected or not.
    """

    questions: Sequence[CorrectedQuestion]
    all_questions: Sequence[Question]
    rules: Sequence[CommittedRegrade]
    has_more_attempts: bool


def load_regrade_overview(*, quiz: Quiz, viewer: User) -> RegradeOverview:
    """Return the regrades of a quiz, of the questions whose keys this person may see.

    Who does not teach the class of the quiz: NotFound.
    """
    check_owning_group(viewer, quiz)
    rules = list_committed_regrades(quiz)
    readable = list(
        questions_whose_keys_are_visible_to(viewer)
        .filter(Exists(_list_candidates(quiz)))
        .values_list("pk", flat=True)
    )
    older = {
        pk: (question, method)
        for pk, question, method in _list_older_versions(quiz)
        .filter(question__in=readable)
        .values_list("pk", "question", "scoring_method")
    }
    count_by_question = dict.fromkeys((question for question, _method in older.values()), 0)
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
    questions = Question.objects.filter(pk__in=count_by_question).select_related("bank", "current")
    return RegradeOverview(
        [
            CorrectedQuestion(
                question,
                count_by_question[question.pk],
                last_by_question.get(question.pk),
                _find_new_method(
                    quiz,
                    question,
                    (method for owner, method in older.values() if owner == question.pk),
                    [row.rule for row in rules],
                ),
            )
            for question in questions.order_by("-current__created_at", "pk")
            if count_by_question[question.pk] or has_more_attempts
        ],
        list(
            Question.objects.filter(pk__in=readable)
            .select_related("bank", "current")
            .order_by("bank__slug", "name")[:MAX_QUESTIONS]
        ),
        rules[::-1],
        has_more_attempts,
    )


def find_new_method(*, quiz: Quiz, question: Question) -> str:
    """Return the `new_method` of a question in a quiz; "": there is none."""
    methods = _list_older_versions(quiz).filter(question=question)
    rules = RegradeRule.objects.filter(quiz=quiz).select_related("version").order_by("number")
    return _find_new_method(
        quiz, question, methods.values_list("scoring_method", flat=True), list(rules)
    )


def _find_new_method(
    quiz: Quiz, question: Question, older: Iterable[str], rules: Sequence[RegradeRule]
) -> str:
    """Return the newest version's scoring method if attempts may have been scored by another.

    A quiz that scores multiple choice in its own way asks no version.
    """
    newest = question.current
    if newest is None or (newest.kind == MULTIPLE_CHOICE and quiz.scoring_method):
        return ""
    of_question = [rule for rule in list_in_force(rules) if rule.version.question_id == question.pk]
    last = [rule.scoring_method for rule in of_question if rule.scoring_method][-1:]
    is_new = newest.scoring_method not in last if last else {*older} - {newest.scoring_method}
    return newest.scoring_method if is_new else ""


def _list_older_versions(quiz: Quiz) -> QuerySet[QuestionVersion]:
    """Return the versions that some version of the quiz asks and that are not the newest."""
    candidates = PoolCandidate.objects.filter(version=OuterRef("pk"), item__quiz_version__quiz=quiz)
    return QuestionVersion.objects.filter(
        Exists(candidates), number__lt=F("question__current__number")
    ).order_by()


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
