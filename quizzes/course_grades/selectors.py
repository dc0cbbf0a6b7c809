"""Totals of a course: the one place from which page, files, API and learners read them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from accounts.access import memberships_in_force
from accounts.models import Group, Role, User
from grading.totals import compute_share, is_passed
from quizzes.course_grades.models import CategorizedQuiz, GradeCategory, GradeScheme
from quizzes.course_grades.totals import (
    HUNDRED,
    CategoryRule,
    GradeRule,
    compute_total_share,
)
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.gradebook import (
    GradebookCell,
    GradebookRow,
    GradeState,
    build_rows,
    list_class_quizzes,
)
from quizzes.results.selectors import load_quiz_grades

PENDING = frozenset({GradeState.IN_PROGRESS, GradeState.WAITING})


@dataclass(frozen=True, slots=True)
class CourseTotal:
    """What a learner's grades come to: points of 100, None where nothing counts yet.

    `shares`: of each category of the rule, None where nothing of it counts. It waits as long as
    something that counts waits for a grade.
    """

    state: GradeState
    score: Score | None
    shares: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class OwnCourseTotal:
    """A learner's own total in a class that publishes it.

    `total`: None while a score that it rests on is hidden from them.
    """

    group: Group
    rule: GradeRule
    total: CourseTotal | None


def load_grade_rule(group: Group, quizzes: Sequence[Quiz]) -> GradeRule | None:
    """Return how the total of a class is made of these quizzes; None: it has none. Two queries."""
    return _load_rules([group], {quiz.pk for quiz in quizzes}).get(group.pk)


def _load_rules(groups: Sequence[Group], quizzes: set[int]) -> dict[int, GradeRule]:
    """Return the rules of these classes by class, of the quizzes that count there still."""
    quizzes_by_category = defaultdict[int, list[int]](list)
    categories_by_scheme = defaultdict[GradeScheme, list[GradeCategory]](list)
    categories = GradeCategory.objects.filter(scheme__group__in=groups).select_related("scheme")
    for category in categories:
        categories_by_scheme[category.scheme].append(category)
    if categories_by_scheme:
        rows = CategorizedQuiz.objects.filter(scheme__in=categories_by_scheme, quiz__in=quizzes)
        for row in rows:
            quizzes_by_category[row.category_id].append(row.quiz_id)
    return {
        scheme.group_id: GradeRule(
            tuple(
                CategoryRule(
                    category.name,
                    Fraction(category.weight_percent),
                    tuple(quizzes_by_category[category.pk]),
                    category.counted,
                    category.number,
                )
                for category in ordered
            ),
            scheme.missing,
            Fraction(scheme.pass_percent) / 100,
            scheme.is_published,
        )
        for scheme, ordered in categories_by_scheme.items()
    }


def compute_course_totals(
    rule: GradeRule, quizzes: Sequence[Quiz], rows: Sequence[GradebookRow]
) -> tuple[CourseTotal, ...]:
    """Return the total of each row of a gradebook with these quizzes."""
    return tuple(_compute_course_total(rule, quizzes, row.cells) for row in rows)


def _compute_course_total(
    rule: GradeRule, quizzes: Sequence[Quiz], cells: Sequence[GradebookCell]
) -> CourseTotal:
    counted = {
        quiz.pk: cell for quiz, cell in zip(quizzes, cells, strict=True) if quiz.pk in rule.quizzes
    }
    shares = {
        quiz: compute_share(cell.score.total, cell.score.maximum)
        for quiz, cell in counted.items()
        if cell.score is not None
    }
    provisional = any(
        cell.state in PENDING or (cell.score is not None and cell.score.provisional)
        for cell in counted.values()
    )
    share, by_category = compute_total_share(rule, shares)
    if share is None:
        state = GradeState.WAITING if provisional else GradeState.NOT_BEGUN
        return CourseTotal(state, None, tuple(by_category))
    # What waits may still lower it where a quiz without a grade is left out.
    passed = is_passed(share, 1, rule.threshold) and not provisional
    score = Score(share * HUNDRED, HUNDRED, rule.threshold, passed, provisional)
    state = GradeState.PASSED if passed else GradeState.FAILED
    return CourseTotal(GradeState.WAITING if provisional else state, score, tuple(by_category))


def load_own_course_totals(*, learner: User, now: datetime) -> list[OwnCourseTotal]:
    """Return a learner's totals in the classes that publish them, by name of the class.

    One query where no class does.
    """
    joined = memberships_in_force().filter(
        user=learner, role=Role.LEARNER, group__grade_scheme__is_published=True
    )
    memberships = joined.select_related("group").order_by("group__name", "pk")
    groups = [membership.group for membership in memberships]
    if not groups:
        return []
    revealed = {grade.quiz for grade in load_quiz_grades(learner=learner, now=now) if grade.score}
    return [
        total
        for group in groups
        if (total := _load_own_course_total(group, learner, revealed)) is not None
    ]


def _load_own_course_total(
    group: Group, learner: User, revealed: set[UUID]
) -> OwnCourseTotal | None:
    quizzes = list_class_quizzes(group)
    rule = load_grade_rule(group, quizzes)
    if rule is None:
        return None
    rows = build_rows(quizzes, [learner])
    is_hidden = any(
        cell.score is not None and quiz.pk in rule.quizzes and quiz.uuid not in revealed
        for quiz, cell in zip(quizzes, rows[0].cells, strict=True)
    )
    total = None if is_hidden else compute_course_totals(rule, quizzes, rows)[0]
    return OwnCourseTotal(group, rule, total)
