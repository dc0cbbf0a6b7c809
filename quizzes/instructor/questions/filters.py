"""How the list of questions is narrowed: by bank, tag, state, and what is wrong."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.models import Question, Tag
from quizzes.instructor.questions.draft_status import (
    STATES,
    DraftStatus,
    compute_state,
    list_with_status,
)

Lookups = Iterable[tuple[Any, Any]]


class BankFilter(SimpleListFilter):
    """The banks one may read."""

    title = _("bank")
    parameter_name = "bank"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Lookups:  # type: ignore[type-arg]  # not generic when run
        """Return their titles."""
        banks = banks_whose_keys_are_visible_to(request.user)
        return [(bank.slug, str(bank)) for bank in banks]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return its questions."""
        return queryset.filter(bank__slug=self.value()) if self.value() else queryset


class TagFilter(SimpleListFilter):
    """The tags that questions one may read have."""

    title = _("tag")
    parameter_name = "tag"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Lookups:  # type: ignore[type-arg]  # not generic when run
        """Return their titles."""
        banks = banks_whose_keys_are_visible_to(request.user)
        tags = Tag.objects.filter(questions__bank__in=banks).distinct()
        return [(name, name) for name in tags.values_list("name", flat=True)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the questions that have it."""
        return queryset.filter(tags__name=self.value()) if self.value() else queryset


class StateFilter(SimpleListFilter):
    """The states of questions; `changed` is found by comparing draft and published version."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Lookups:  # type: ignore[type-arg]  # not generic when run
        """Return the states."""
        return STATES.items()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        """Return the questions in this state."""
        if self.value() not in STATES:
            return queryset
        pks = [
            question.pk
            for question, status in list_with_status(queryset)
            if compute_state(question, status) == self.value()
        ]
        return queryset.filter(pk__in=pks)


class ProblemFilter(SimpleListFilter):
    """The problems of drafts."""

    title = _("problems")
    parameter_name = "problems"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Lookups:  # type: ignore[type-arg]  # not generic when run
        """Return the kinds of problems."""
        return (
            ("some", _("cannot be published")),
            ("warnings", _("has warnings")),
            ("outdated", _("translation is outdated")),
            ("none", _("no problems")),
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        """Return the questions with this kind of problem."""
        tests: dict[str, Callable[[DraftStatus], bool]] = {
            "some": lambda status: status.problems > 0,
            "warnings": lambda status: status.warnings > 0,
            "outdated": lambda status: status.is_outdated,
            "none": lambda status: not status.problems and not status.warnings,
        }
        test = tests.get(self.value() or "")
        if test is None:
            return queryset
        return queryset.filter(
            pk__in=[
                question.pk
                for question, status in list_with_status(queryset)
                if status and test(status)
            ]
        )
