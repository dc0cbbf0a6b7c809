"""The twins of a bank: pairs that may be one question in two languages, joined or kept apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.bank.access import may_edit, visible_to
from quizzes.bank.models import Bank, Question
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.imports.match_view import ShownTwin, choices, shown
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching import access
from quizzes.matching.merge import CandidatePair, find_pairs, merge_questions, reject_match
from quizzes.matching.models import PairDecision

PAGE: Final = 20
"""Pairs on a page."""

SAID: Mapping[str, Promise] = {
    "draft_changed": gettext_lazy("A draft was changed meanwhile: look once more."),
    "twin_gone": gettext_lazy("One of the two is retired or has both languages by now."),
    "rows_meant_twice": gettext_lazy("Each option goes with one other: look once more."),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair on the page; `keep` is the question that stays and `take` the one it takes in.

    `rows` are the options of the one taken in, each with those of the other it may go with.
    """

    keep: str
    take: str
    twin: ShownTwin
    rows: tuple[Any, ...]
    seen: str
    quizzes: int


@admin.register(PairDecision)
class PairDecisionAdmin(ModelAdmin):
    """What persons said of twins, and, bank by bank, those that wait for an answer."""

    list_display = ("question", "name", "language", "same", "by", "updated_at")
    list_select_related = ("question", "by")

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[PairDecision]:
        """Ask the access module."""
        return access.decisions_visible_to(person)

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a bank, and what may be said there."""
        guard = self.admin_site.admin_view
        own = [
            path("bank/<int:pk>/", guard(self.bank_view), name="matching_pairdecision_bank"),
            path("bank/<int:pk>/say/", guard(self.say_view), name="matching_pairdecision_say"),
        ]
        return own + super().get_urls()

    def bank_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show which questions of a bank may be one in two languages."""
        bank = _found(request, pk)
        pairs = find_pairs(bank)
        page = Paginator(pairs or (), PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Language matches in %(bank)s") % {"bank": bank},
            "opts": self.opts,
            "original": bank,
            "too_many": pairs is None,
            "page": page,
            "pairs": [_shown(bank, two) for two in page.object_list],
            "may_edit": may_edit(request.user, bank),
        }
        return TemplateResponse(request, "admin/matching/pairdecision/bank.html", context)

    @method_decorator(require_POST)
    def say_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Join two questions, or remember that they are two."""
        bank, author = _found(request, pk), request.user
        if not isinstance(author, User) or not may_edit(author, bank):
            raise PermissionDenied
        try:
            message = self._said(request, bank, author)
        except NotFound as gone:
            raise Http404 from gone
        except (Conflict, Invalid) as error:
            messages.warning(request, str(SAID.get(error.code, error.code)))
        else:
            messages.success(request, message)
        return redirect("admin:matching_pairdecision_bank", bank.pk)

    def _said(self, request: HttpRequest, bank: Bank, author: User) -> str:
        posted = request.POST
        keep, take = posted.get("keep", ""), posted.get("take", "")
        if "apart" in posted:
            reject_match(bank=bank, first=keep, second=take, by=author)
            return _("%(take)s and %(keep)s are two questions: that is remembered.") % {
                "take": take,
                "keep": keep,
            }
        joined = merge_questions(
            bank=bank,
            keep=keep,
            absorb=take,
            ids=_rows(posted),
            revisions=_seen(posted.get("seen", "")),
            by=author,
            now=clock.now(),
        )
        self.log_change(request, joined, f"took in {take}")
        return _("%(keep)s has the words of %(take)s now; %(take)s is retired.") % {
            "take": take,
            "keep": keep,
        }


def _found(request: HttpRequest, pk: int) -> Bank:
    bank = visible_to(request.user).filter(pk=pk).first()
    if bank is None:
        raise Http404
    return bank


def _rows(posted: Mapping[str, str]) -> dict[str, str]:
    """Read which option goes with which; one that goes with none is left out."""
    return {
        name.removeprefix("row-"): value
        for name, value in posted.items()
        if name.startswith("row-") and value
    }


def _seen(text: str) -> list[int]:
    return [int(revision) for revision in text.split() if revision.isdecimal()]


def _shown(bank: Bank, two: CandidatePair) -> Shown:
    """Lay out a pair: the first is taken in by the second, which has the bank's language."""
    both = Question.objects.filter(bank=bank, name__in=(two.first.name, two.second.name))
    by_name = {question.name: question for question in both.select_related("draft")}
    twin = two.to_match()
    seen = " ".join(
        str(by_name[question.name].draft.revision) for question in (two.second, two.first)
    )
    in_drafts = by_name[two.first.name].slot_set.filter(section__quiz__retired_at=None)
    shown_twin = shown(two.first.document, twin, {row.right: row.left for row in twin.rows})
    if shown_twin is None:
        raise Conflict("twin_gone")
    return Shown(
        keep=two.second.name,
        take=two.first.name,
        twin=shown_twin,
        rows=choices(two.first.document, two.second.document, twin, two.other_language),
        seen=seen,
        quizzes=in_drafts.values("section__quiz").distinct().count(),
    )
