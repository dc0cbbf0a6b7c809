"""The language matches of a bank: pairs that may be one question in two languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import may_edit
from quizzes.bank.models import Bank, Question
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.imports.match_view import RowChoice, build_row_choices
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching import access
from quizzes.matching.merge import CandidatePair, find_pairs, merge_questions, reject_match
from quizzes.matching.models import PairDecision
from quizzes.presentation.language_matches import MatchView, build_pair_match
from quizzes.presentation.messages.imports import MERGE_ERRORS
from quizzes.presentation.messages.sentences import describe

PAGE_SIZE: Final = 20
"""Pairs on a page."""


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair on the page; `keep` is the question that stays, `absorb` is merged into it.

    `rows` are the options of `absorb`, each with those of the other that it may go with.
    """

    keep: str
    absorb: str
    match: MatchView
    rows: tuple[RowChoice, ...]
    revisions: str
    quizzes: int


@admin.register(PairDecision)
class PairDecisionAdmin(ModelAdmin):
    """The decisions on language matches, and, bank by bank, those that wait for one."""

    list_display = ("question", "name", "language", "same", "by", "updated_at")
    list_select_related = ("question", "by")

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[PairDecision]:
        """Ask the access module."""
        return access.decisions_visible_to(person)

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a bank, and the decisions that are made there."""
        guard = self.admin_site.admin_view
        own = [
            path("bank/<int:pk>/", guard(self.bank_view), name="matching_pairdecision_bank"),
            path(
                "bank/<int:pk>/decide/",
                guard(self.decide_view),
                name="matching_pairdecision_decide",
            ),
        ]
        return own + super().get_urls()

    def bank_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show which questions of a bank may be one in two languages."""
        bank = _get_bank(request, pk)
        pairs = find_pairs(bank)
        page = Paginator(pairs or (), PAGE_SIZE).get_page(request.GET.get("page"))
        context = {
            "original": bank,
            "too_many": pairs is None,
            "page": page,
            "pairs": [_build_pair(bank, pair) for pair in page.object_list],
            "may_edit": may_edit(request.user, bank),
        }
        return self.render_page(
            request,
            "matching/pairdecision/bank",
            context,
            title=_("Language matches in %(bank)s") % {"bank": bank},
            page_name=_("Language matches"),
        )

    @method_decorator(require_POST)
    def decide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Merge two questions, or save that they are two."""
        bank, author = _get_bank(request, pk), request.user
        if not isinstance(author, User) or not may_edit(author, bank):
            raise PermissionDenied
        try:
            message = self._decide(request, bank, author)
        except NotFound as gone:
            raise Http404 from gone
        except (Conflict, Invalid) as error:
            messages.warning(request, describe(error.code, MERGE_ERRORS))
        else:
            messages.success(request, message)
        return redirect("admin:matching_pairdecision_bank", bank.pk)

    def _decide(self, request: HttpRequest, bank: Bank, author: User) -> str:
        posted = request.POST
        keep, absorb = posted.get("keep", ""), posted.get("absorb", "")
        if "reject" in posted:
            reject_match(bank=bank, first=keep, second=absorb, by=author)
            return _("%(take)s and %(keep)s are two questions: that is remembered.") % {
                "take": absorb,
                "keep": keep,
            }
        merged = merge_questions(
            bank=bank,
            keep=keep,
            absorb=absorb,
            ids=_read_row_pairs(posted),
            revisions=_read_revisions(posted.get("revisions", "")),
            by=author,
            now=clock.now(),
        )
        self.log_change(request, merged, f"{absorb} was merged into it")
        return _("%(keep)s has the words of %(take)s now; %(take)s is retired.") % {
            "take": absorb,
            "keep": keep,
        }


def _get_bank(request: HttpRequest, pk: int) -> Bank:
    bank = banks_whose_keys_are_visible_to(request.user).filter(pk=pk).first()
    if bank is None:
        raise Http404
    return bank


def _read_row_pairs(posted: Mapping[str, str]) -> dict[str, str]:
    """Return which option goes with which; one that goes with none is left out."""
    return {
        name.removeprefix("row-"): row
        for name, row in posted.items()
        if name.startswith("row-") and row
    }


def _read_revisions(text: str) -> list[int]:
    return [int(revision) for revision in text.split() if revision.isdecimal()]


def _build_pair(bank: Bank, pair: CandidatePair) -> PairView:
    """Return a pair: the first is merged into the second, which has the bank's language."""
    absorb, keep = pair.first, pair.second
    questions = {
        question.name: question
        for question in Question.objects.filter(
            bank=bank, name__in=(absorb.name, keep.name)
        ).select_related("draft")
    }
    in_drafts = questions[absorb.name].slot_set.filter(section__quiz__retired_at=None)
    return PairView(
        keep=keep.name,
        absorb=absorb.name,
        match=build_pair_match(pair),
        rows=build_row_choices(
            absorb.document, keep.document, pair.to_match(), pair.other_language
        ),
        revisions=" ".join(
            str(questions[question.name].draft.revision) for question in (keep, absorb)
        ),
        quizzes=in_drafts.values("section__quiz").distinct().count(),
    )
