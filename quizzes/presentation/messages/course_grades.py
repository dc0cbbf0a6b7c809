"""How a course total is made, in sentences."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from quizzes.course_grades.totals import ALL, BEST, ZERO, CategoryRule, GradeRule
from quizzes.presentation.formatting import format_points

GRADE_SCHEME_ERRORS: Final[Mapping[str, Promise]] = {
    "category_name": gettext_lazy("Each category needs a name of at most 100 characters."),
    "weight_out_of_range": gettext_lazy("A weight is a number from 0 to 100."),
    "weights_are_zero": gettext_lazy("At least one category needs a weight above 0."),
    "number_out_of_range": gettext_lazy("Say how many quizzes: a whole number from 1 to 100."),
    "pass_percent_out_of_range": gettext_lazy("The pass mark is a number from 0 to 100."),
    "too_many_categories": gettext_lazy("There are too many categories."),
    "quiz_twice": gettext_lazy("A quiz counts in one category."),
    "quiz_of_another_class": gettext_lazy("A quiz is no longer one of this class."),
    "class_archived": gettext_lazy("The class is archived, and so read only."),
}


def describe_rule(rule: GradeRule) -> str:
    """Return how a total is made: "The total is Quizzes 60% (the best 3 of 5) and …"."""
    return " ".join(_describe(rule))


def _describe(rule: GradeRule) -> Iterator[str]:
    weights = sum((category.weight for category in rule.categories), Fraction())
    parts = "; ".join(_describe_category(category) for category in rule.categories)
    yield _("The total is: %(parts)s.") % {"parts": parts}
    yield _("Within a category, each quiz counts the same, by its per cent.")
    if weights != 100:  # noqa: PLR2004  per cent
        total = format_points(weights)
        yield _("The weights come to %(total)s%% and count as parts of that.") % {"total": total}
    if rule.missing == ZERO:
        yield _("A quiz without a grade counts 0.")
    else:
        yield _(
            "A quiz without a grade is left out, and a category without any, too;"
            " the other weights then count more."
        )
    mark = format_points(rule.threshold * 100)
    yield _("Passed from %(mark)s%% of the total, not rounded.") % {"mark": mark}


def _describe_category(category: CategoryRule) -> str:
    values = {
        "name": category.name,
        "weight": format_points(category.weight),
        "counted": _describe_counted(category),
    }
    return _("%(name)s %(weight)s%% (%(counted)s)") % values


def _describe_counted(category: CategoryRule) -> str:
    available = len(category.quizzes)
    values = {"n": category.number, "m": available}
    if category.counted == ALL or not available:
        text = ngettext("%(m)s quiz", "%(m)s quizzes", available)
    elif category.counted == BEST:
        text = _("the best %(n)s of %(m)s quizzes")
    else:
        text = _("%(m)s quizzes without the lowest %(n)s")
    return text % values
