"""How the quizzes of a class make its total: categories with weights, and what is missing."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Group
from quizzes.lib.base_models import TimestampedModel
from quizzes.publishing.models import Quiz


class MissingPolicy(models.TextChoices):
    """What a quiz without a grade counts."""

    EXCLUDED = "excluded", _("it is left out until there is a grade")
    ZERO = "zero", _("it counts as 0")


class CountedQuizzes(models.TextChoices):
    """Which quizzes of a category count."""

    ALL = "all", _("all of them")
    BEST = "best", _("the best n")
    WITHOUT_LOWEST = "without_lowest", _("all but the lowest n")


class GradeScheme(TimestampedModel):
    """How the total of a class is made. A class without one has no total."""

    group = models.OneToOneField(Group, models.CASCADE, related_name="grade_scheme")
    missing = models.CharField(
        _("A quiz without a grade"),
        max_length=10,
        choices=MissingPolicy,
        default=MissingPolicy.EXCLUDED,
    )
    pass_percent = models.DecimalField(
        _("passed from (per cent)"), max_digits=5, decimal_places=2, default=Decimal(80)
    )
    is_published = models.BooleanField(_("learners see their own total"), default=False)

    class Meta:
        verbose_name = _("course total")
        verbose_name_plural = _("course totals")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(pass_percent__gte=0, pass_percent__lte=100),
                name="grade_scheme_pass_percent_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return str(self.group)


class GradeCategory(models.Model):
    """A part of the total: quizzes that count the same among themselves, and the weight of all."""

    scheme = models.ForeignKey(GradeScheme, models.CASCADE, related_name="categories")
    position = models.PositiveIntegerField()
    name = models.CharField(_("name"), max_length=100)
    weight_percent = models.DecimalField(_("weight (per cent)"), max_digits=5, decimal_places=2)
    counted = models.CharField(
        _("What counts"), max_length=15, choices=CountedQuizzes, default=CountedQuizzes.ALL
    )
    number = models.PositiveIntegerField(_("number"), default=0)

    class Meta:
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering = ["scheme", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["scheme", "position"], name="grade_category_once"),
            models.CheckConstraint(
                condition=Q(weight_percent__gte=0, weight_percent__lte=100),
                name="grade_category_weight_is_a_share",
            ),
            # The best none of a category would be nothing to take a mean of.
            models.CheckConstraint(
                condition=~Q(counted="best") | Q(number__gte=1), name="grade_category_best_of_some"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CategorizedQuiz(models.Model):
    """A quiz in a category."""

    scheme = models.ForeignKey(GradeScheme, models.CASCADE, related_name="+")
    category = models.ForeignKey(GradeCategory, models.CASCADE, related_name="quizzes")
    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="+")

    class Meta:
        ordering = ["category", "pk"]
        constraints: ClassVar = [
            # In two categories, a quiz would count twice.
            models.UniqueConstraint(fields=["scheme", "quiz"], name="categorized_quiz_once"),
        ]

    def __str__(self) -> str:
        return f"{self.quiz_id} in {self.category_id}"
