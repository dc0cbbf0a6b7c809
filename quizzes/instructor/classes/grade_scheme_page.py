"""The page on which an instructor says how the total of a class is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.access import groups_taught
from accounts.models import Group
from quizzes.course_grades.models import (
    CategorizedQuiz,
    CountedQuizzes,
    GradeCategory,
    GradeScheme,
    MissingPolicy,
)
from quizzes.course_grades.selectors import load_grade_rule
from quizzes.course_grades.services import MAX_CATEGORIES, CategoryInput, save_grade_scheme
from quizzes.instructor.permissions import current_user
from quizzes.lib.errors import Invalid, NotFound, ServiceError
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_count
from quizzes.presentation.gradebook_tables import translate_title
from quizzes.presentation.messages.course_grades import GRADE_SCHEME_ERRORS, describe_rule
from quizzes.presentation.messages.sentences import describe
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook import list_class_quizzes

EMPTY_ROWS: Final = 2
MAX_TYPED_NUMBER: Final = 9999


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A row of the form, as it is stored or was typed."""

    place: int
    name: str
    weight: str
    counted: str
    number: str


@dataclass(frozen=True, slots=True)
class CategorizedQuizRow:
    """A quiz of the gradebook, and the place of its category from 1; 0 for none."""

    key: int
    title: str
    place: int


def show_grade_scheme(admin: Any, request: HttpRequest, group: Group) -> HttpResponse:
    """Show how the total is made; on POST change it."""
    if not groups_taught(request.user).filter(pk=group.pk).exists():
        raise Http404
    quizzes = list_class_quizzes(group)
    if request.method != "POST":
        return _render(admin, request, group, quizzes, _load_form(group, quizzes))
    try:
        scheme = _save(request, group, quizzes)
    except NotFound:
        raise Http404 from None
    except ServiceError as error:
        messages.error(request, describe(error.code, GRADE_SCHEME_ERRORS))
        return _render(admin, request, group, quizzes, _read_form(request, quizzes), status=200)
    text = _("The total is saved.") if scheme else _("The class has no total.")
    messages.success(request, text)
    return redirect("admin:accounts_group_gradebook", group.pk)


def _save(request: HttpRequest, group: Group, quizzes: Sequence[Quiz]) -> GradeScheme | None:
    missing = request.POST.get("missing", "")
    if missing not in MissingPolicy.values:
        raise Http404
    pass_percent = _parse_percent(request.POST.get("pass_percent", ""))
    if pass_percent is None:
        raise Invalid("pass_percent_out_of_range")
    return save_grade_scheme(
        group=group,
        categories=_read_categories(request, quizzes),
        missing=MissingPolicy(missing),
        pass_percent=pass_percent,
        is_published="is_published" in request.POST,
        by=current_user(request),
    )


def _read_categories(request: HttpRequest, quizzes: Sequence[Quiz]) -> list[CategoryInput]:
    """Return the rows that were filled in; a quiz in a row that was not: Invalid."""
    form = _read_form(request, quizzes)
    categories = []
    for row in form["categories"]:
        chosen = [
            quiz
            for quiz, choice in zip(quizzes, form["quizzes"], strict=True)
            if choice.place == row.place
        ]
        if not (row.name.strip() or row.weight.strip() or chosen):
            continue
        weight = _parse_percent(row.weight)
        if weight is None:
            raise Invalid("weight_out_of_range")
        if row.counted not in CountedQuizzes.values:
            raise Http404
        categories.append(
            CategoryInput(
                name=row.name,
                weight_percent=weight,
                quizzes=chosen,
                counted=CountedQuizzes(row.counted),
                number=0
                if row.counted == CountedQuizzes.ALL
                else parse_count(row.number.strip(), maximum=MAX_TYPED_NUMBER),
            )
        )
    return categories


def _read_form(request: HttpRequest, quizzes: Sequence[Quiz]) -> dict[str, Any]:
    posted = request.POST
    return {
        "categories": [
            CategoryRow(
                place,
                posted.get(f"name-{place}", ""),
                posted.get(f"weight-{place}", ""),
                posted.get(f"counted-{place}", CountedQuizzes.ALL),
                posted.get(f"number-{place}", ""),
            )
            for place in range(1, MAX_CATEGORIES + 1)
            if f"name-{place}" in posted
        ],
        "quizzes": _list_quiz_rows(
            quizzes,
            {
                quiz.pk: parse_count(posted.get(f"quiz-{quiz.pk}", ""), maximum=MAX_CATEGORIES)
                for quiz in quizzes
            },
        ),
        "missing": posted.get("missing", ""),
        "pass_percent": posted.get("pass_percent", "")[:MAX_NUMBER_LENGTH],
        "is_published": "is_published" in posted,
    }


def _load_form(group: Group, quizzes: Sequence[Quiz]) -> dict[str, Any]:
    scheme = GradeScheme.objects.filter(group=group).first() or GradeScheme(group=group)
    stored = list(GradeCategory.objects.filter(scheme__group=group))
    rows = [
        CategoryRow(
            place,
            category.name,
            _format_percent(category.weight_percent),
            category.counted,
            str(category.number or ""),
        )
        for place, category in enumerate(stored, start=1)
    ]
    while len(rows) < min(len(stored) + EMPTY_ROWS, MAX_CATEGORIES):
        rows.append(CategoryRow(len(rows) + 1, "", "", CountedQuizzes.ALL, ""))
    places = {category.pk: place for place, category in enumerate(stored, start=1)}
    chosen = {
        row.quiz_id: places[row.category_id]
        for row in CategorizedQuiz.objects.filter(scheme__group=group)
    }
    return {
        "categories": rows,
        "quizzes": _list_quiz_rows(quizzes, chosen),
        "missing": scheme.missing,
        "pass_percent": _format_percent(scheme.pass_percent),
        "is_published": scheme.is_published,
    }


def _list_quiz_rows(quizzes: Sequence[Quiz], places: Mapping[int, int]) -> list[CategorizedQuizRow]:
    return [
        CategorizedQuizRow(quiz.pk, translate_title(quiz), places.get(quiz.pk, 0))
        for quiz in quizzes
    ]


def _parse_percent(typed: str) -> Decimal | None:
    """Return a number with at most two decimals; None for anything else. A comma is a point."""
    text = typed.strip().replace(",", ".")
    if not text.isascii() or len(text) > MAX_NUMBER_LENGTH or set(text) - set("0123456789."):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number <= 100 and number == round(number, 2) else None  # noqa: PLR2004  per cent


def _format_percent(percent: Decimal) -> str:
    text = f"{percent:.2f}".rstrip("0")
    return text.removesuffix(".")


def _render(  # noqa: PLR0913, PLR0917  the page, and what its form has
    admin: Any,
    request: HttpRequest,
    group: Group,
    quizzes: Sequence[Quiz],
    form: Mapping[str, Any],
    status: int = 200,
) -> HttpResponse:
    rule = load_grade_rule(group, quizzes)
    context = {
        "original": group,
        "sentence": describe_rule(rule) if rule else "",
        "counted_choices": CountedQuizzes.choices,
        "missing_choices": MissingPolicy.choices,
        **form,
    }
    title = _("Course total of %(group)s") % {"group": group}
    response: HttpResponse = admin.render_page(
        request,
        "accounts/group/grade_scheme",
        context,
        title=title,
        page_name=_("Course total"),
        status=status,
    )
    return response
