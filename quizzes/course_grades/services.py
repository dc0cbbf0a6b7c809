"""Saying how the total of a class is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db import transaction

from accounts.classes import lock_class
from accounts.models import Group, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.course_grades.models import (
    CategorizedQuiz,
    CountedQuizzes,
    GradeCategory,
    GradeScheme,
    MissingPolicy,
)
from quizzes.lib.errors import Invalid
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook import list_class_quizzes

MAX_CATEGORIES: Final = 12
MAX_NUMBER: Final = 100
MAX_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class CategoryInput:
    """A category as it is to be: its quizzes are some of the gradebook's."""

    name: str
    weight_percent: Decimal
    quizzes: Sequence[Quiz]
    counted: CountedQuizzes = CountedQuizzes.ALL
    number: int = 0


@transaction.atomic
def save_grade_scheme(  # noqa: PLR0913  what a total is made of
    *,
    group: Group,
    categories: Sequence[CategoryInput],
    missing: MissingPolicy,
    pass_percent: Decimal,
    is_published: bool,
    by: User,
) -> GradeScheme | None:
    """Say how the total of a class that one teaches is made, instead of what was said before.

    Without categories there is no total any more. Who does not teach it: NotFound; archived:
    Refused. A weight, number or pass mark that is none, a category without a name, all weights 0,
    a quiz of two categories or of another gradebook: Invalid.
    """
    locked = lock_class(group=group, by=by)
    _check_categories(categories, locked)
    if not 0 <= pass_percent <= 100:  # noqa: PLR2004  per cent
        raise Invalid("pass_percent_out_of_range", where="pass_percent")
    before = _describe(GradeScheme.objects.filter(group=locked).first())
    GradeScheme.objects.filter(group=locked).delete()
    scheme = None
    if categories:
        scheme = GradeScheme.objects.create(
            group=locked, missing=missing, pass_percent=pass_percent, is_published=is_published
        )
        for position, category in enumerate(categories):
            _create_category(scheme, position, category)
    after = _describe(scheme)
    if before != after:
        record(
            AuditCode.GRADE_SCHEME_CHANGED,
            about=locked,
            group=locked.pk,
            by=by,
            before=before,
            after=after,
        )
    return scheme


def _create_category(scheme: GradeScheme, position: int, category: CategoryInput) -> None:
    row = GradeCategory.objects.create(
        scheme=scheme,
        position=position,
        name=category.name.strip(),
        weight_percent=category.weight_percent,
        counted=category.counted,
        number=0 if category.counted == CountedQuizzes.ALL else category.number,
    )
    CategorizedQuiz.objects.bulk_create(
        CategorizedQuiz(scheme=scheme, category=row, quiz=quiz) for quiz in category.quizzes
    )


def _check_categories(categories: Sequence[CategoryInput], group: Group) -> None:
    if len(categories) > MAX_CATEGORIES:
        raise Invalid("too_many_categories", where="categories", maximum=MAX_CATEGORIES)
    for category in categories:
        if not 0 < len(category.name.strip()) <= MAX_NAME or "\0" in category.name:
            raise Invalid("category_name", where="categories", maximum=MAX_NAME)
        if not 0 <= category.weight_percent <= 100:  # noqa: PLR2004  per cent
            raise Invalid("weight_out_of_range", where="categories")
        least = 0 if category.counted == CountedQuizzes.ALL else 1
        if not least <= category.number <= MAX_NUMBER:
            raise Invalid("number_out_of_range", where="categories", maximum=MAX_NUMBER)
    if categories and not any(category.weight_percent for category in categories):
        raise Invalid("weights_are_zero", where="categories")
    quizzes = [quiz.pk for category in categories for quiz in category.quizzes]
    if len(set(quizzes)) < len(quizzes):
        raise Invalid("quiz_twice", where="categories")
    if not set(quizzes) <= {quiz.pk for quiz in list_class_quizzes(group)}:
        raise Invalid("quiz_of_another_class", where="categories")


def _describe(scheme: GradeScheme | None) -> dict[str, object] | None:
    if scheme is None:
        return None
    categories = GradeCategory.objects.filter(scheme=scheme).prefetch_related("quizzes__quiz")
    return {
        "missing": str(scheme.missing),
        "pass_percent": f"{scheme.pass_percent:.2f}",
        "is_published": scheme.is_published,
        "categories": [
            {
                "name": category.name,
                "weight_percent": f"{category.weight_percent:.2f}",
                "counted": str(category.counted),
                "number": category.number,
                "quizzes": [row.quiz.slug for row in category.quizzes.all()],
            }
            for category in categories
        ],
    }
