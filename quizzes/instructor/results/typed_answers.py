"""What learners typed as answers to a question, with one click to accept an answer."""

import json
import re
from datetime import datetime
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.short_text.parsing import parse_text
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.access import may_edit
from quizzes.bank.models import Question
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.instructor.questions.tabs import list_tabs
from quizzes.instructor.results.score_errors import describe_score_error
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, ServiceError
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.formatting import format_points
from quizzes.presentation.messages.problems import describe_problem
from quizzes.results.add_accepted_answer import add_accepted_answer, load_accepted_answer_status
from quizzes.results.manual_grading import LONGEST_COMMENT
from quizzes.results.models import ItemResult
from quizzes.results.response_analysis import (
    AnswerGroup,
    find_answer_group,
    has_typed_answers,
    load_typed_answers,
)
from quizzes.results.typed_answer_credit import (
    count_learners,
    credit_typed_answers,
    list_answers_to_credit,
    withdraw_credit,
)

_SHARE = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)(?:\s*/\s*([1-9]\d{0,5}))?")
PAGE_SIZE = 50
MAX_PLACE_LENGTH = 300
MAX_REVISION = 999_999_999
"""The largest that its column holds."""


@admin.register(ItemResult)
class TypedAnswersAdmin(ModelAdmin):
    """The answers that were typed, to those who may read the question and oversee the learners."""

    key_pages = frozenset(
        {
            "results_typed_answers",
            "results_typed_answers_accept",
            "results_typed_answers_credit",
            "results_typed_answers_withdraw",
        }
    )

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Stand in no menu: the way here is from the question."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return the list of a question's answers, and what is done with one; no other page."""
        views = (self.answers, self.accept, self.credit, self.withdraw)
        listed, step, credit, withdraw = (self.admin_site.admin_view(view) for view in views)
        return [
            path("question/<int:pk>/", listed, name="results_typed_answers"),
            path("question/<int:pk>/accept/", step, name="results_typed_answers_accept"),
            path("question/<int:pk>/credit/", credit, name="results_typed_answers_credit"),
            path("question/<int:pk>/withdraw/", withdraw, name="results_typed_answers_withdraw"),
        ]

    def answers(self, request: HttpRequest, pk: int) -> HttpResponse:
        """List the typed answers, the most frequent first."""
        viewer, question = current_user(request), _question_or_404(request, pk)
        answers, can_edit = (
            load_typed_answers(question=question, viewer=viewer),
            may_edit(viewer, question.bank),
        )
        after = _parse_place(request.GET.get("after", ""))
        page = answers.list_after(after, PAGE_SIZE + 1)
        has_next = len(page) > PAGE_SIZE
        context = {
            "answers": answers,
            "rows": [_row(answer, pk, can_edit) for answer in page[:PAGE_SIZE]],
            "has_below_full": any(answer.below_full for answer in page[:PAGE_SIZE]),
            "more": answers.more and not has_next,
            "next_query": urlencode({"after": json.dumps(page[PAGE_SIZE - 1].place)})
            if has_next
            else "",
            "is_continued": bool(after),
            "given_at": request.GET.get("given_at", "")[:MAX_PLACE_LENGTH],
            "reason": _("This answer counts, too."),
            "longest_reason": LONGEST_COMMENT,
        }
        return self._render(request, question, "answers", context)

    def accept(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Explain what accepting an answer does, and do it on POST."""
        viewer, question = current_user(request), _question_or_404(request, pk)
        text = parse_text(request.POST.get("text") or request.GET.get("text"))
        if not may_edit(viewer, question.bank) or not isinstance(text, str):
            raise Http404
        errors: tuple[str, ...] = ()
        status = 200
        if request.method == "POST":
            try:
                version = add_accepted_answer(
                    question=question,
                    text=text,
                    credit=_parse_share(request.POST.get("credit", "")),
                    by=viewer,
                    revision=parse_count(request.POST.get("revision", ""), maximum=MAX_REVISION),
                    now=clock.now(),
                )
            except ServiceError as error:
                errors, status = (
                    _describe_errors(error),
                    409 if isinstance(error, Conflict) else 200,
                )
            else:
                self.log_change(request, question, "accepted an answer")
                messages.success(
                    request, _describe_outcome(text, version.number if version else None)
                )
                return redirect("admin:results_typed_answers", pk)
        context = {
            "text": text,
            "credit": request.POST.get("credit", "1"),
            "draft_status": load_accepted_answer_status(question),
            "next": question.current.number + 1 if question.current else 1,
            "errors": errors,
        }
        return self._render(request, question, "accept", context, status=status)

    def credit(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Say whom credit for a group of answers touches, and give it once that was seen."""
        viewer, question = current_user(request), _question_or_404(request, pk)
        # A button of the list has one value: how many answers change, and which.
        number_seen, _space, group_text = request.POST.get("group", "").partition(" ")
        typed_text = group_text or request.POST.get("text") or request.GET.get("text")
        text = parse_text(typed_text)
        if not isinstance(text, str):
            raise Http404
        group = find_answer_group(question=question, text=text, viewer=viewer)
        if group is None:
            raise Http404
        typed, reason = request.POST.get("credit", "1"), request.POST.get("reason", "")
        share, errors, status = _parse_share(typed), tuple[str, ...](), 200
        now = clock.now()
        is_confirmed = "confirmed" in request.POST and request.POST.get("checked_credit") == typed
        if not 0 <= share <= 1:
            errors = (_("Write a part of the points from 0 to 1: 1, 0.5, 1/3."),)
        elif is_confirmed:
            seen = parse_count(request.POST.get("seen", number_seen), maximum=MAX_REVISION)
            try:
                number = credit_typed_answers(
                    question=question,
                    text=text,
                    share=share,
                    reason=reason,
                    by=viewer,
                    seen=seen,
                    now=now,
                )
            except ServiceError as error:
                sentence, status = describe_score_error(error)
                errors = (sentence,)
            else:
                messages.success(request, _("Graded anew: %(n)s.") % {"n": number})
                address = reverse("admin:results_typed_answers", args=[pk])
                query = urlencode({"given_at": now.isoformat()})
                return redirect(f"{address}?{query}" if number else address)
        answers = (
            list_answers_to_credit(question=question, text=text, share=share, viewer=viewer)
            if 0 <= share <= 1
            else ()
        )
        context = {
            "text": text,
            "spellings": group.spellings,
            "credit": typed,
            "reason": reason,
            "answers": len(answers),
            "learners": count_learners(answers),
            "is_checked": 0 <= share <= 1,
            "longest_reason": LONGEST_COMMENT,
            "errors": errors,
        }
        return self._render(request, question, "credit", context, status=status)

    def withdraw(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take back the credit that was given last."""
        viewer, question = current_user(request), _question_or_404(request, pk)
        try:
            given_at = datetime.fromisoformat(request.POST.get("given_at", ""))
        except ValueError:
            raise Http404 from None
        if timezone.is_naive(given_at):
            raise Http404
        try:
            number = withdraw_credit(
                question=question,
                by=viewer,
                given_at=given_at,
                reason=_("The credit was taken back."),
                now=clock.now(),
            )
        except NotFound:
            raise Http404 from None
        messages.success(request, _("Graded anew: %(n)s.") % {"n": number})
        return redirect("admin:results_typed_answers", pk)

    def _render(
        self,
        request: HttpRequest,
        question: Question,
        name: str,
        context: dict[str, Any],
        *,
        status: int = 200,
    ) -> HttpResponse:
        context = {
            "original": question,
            "may_edit": may_edit(request.user, question.bank),
            "section": "typed_answers",
            "tabs": list_tabs(question),
            **context,
            "opts": Question._meta,
        }
        template = f"results/typed_answers/{name}"
        return self.render_page(request, template, context, title=question.name, status=status)


def _question_or_404(request: HttpRequest, pk: int) -> Question:
    visible = questions_whose_keys_are_visible_to(request.user)
    question = visible.select_related("bank", "current").filter(pk=pk).first()
    if question is None or not has_typed_answers(question):
        raise Http404
    record(AuditCode.KEYS_VIEWED, about=question, group=question.bank.group_id, once=True)
    return question


def _parse_place(text: str) -> tuple[int, str, str] | tuple[()]:
    """Return a place as the page writes it, or that before the first row."""
    try:
        rarity, beginning, digest = json.loads(text[:MAX_PLACE_LENGTH])
    except (ValueError, TypeError, RecursionError):
        return ()
    is_place = isinstance(rarity, int) and isinstance(beginning, str) and isinstance(digest, str)
    return (rarity, beginning, digest) if is_place else ()


def _row(
    answer: AnswerGroup, pk: int, can_edit: bool
) -> tuple[AnswerGroup, str, str, str, str, str]:
    """Return an answer with what it earned, style and text of its status, and its links."""
    earned = " · ".join(format_points(credit) for credit in answer.earned)
    address = reverse("admin:results_typed_answers_credit", args=[pk])
    credit_url = f"{address}?{urlencode({'text': answer.text})}"
    accept_url = _accept_url(answer, pk, can_edit)
    return (answer, earned, *_describe_status(answer), accept_url, credit_url)


def _describe_status(answer: AnswerGroup) -> tuple[str, str]:
    """Return whether an answer is accepted now: the name of its style, and the words."""
    if answer.matched is None:
        return ("open", _("nearly accepted")) if answer.near else ("incorrect", _("not accepted"))
    if answer.credit == 1:
        return "correct", _("accepted")
    credit = format_points(answer.credit)
    return "partially_correct" if answer.credit else "incorrect", _(
        "accepted for %(credit)s of the points"
    ) % {"credit": credit}


def _accept_url(answer: AnswerGroup, pk: int, can_edit: bool) -> str:
    """Return the address that accepts an answer; "" where there is nothing to accept.

    What an accepted answer spells out is decided; what a wildcard or a pattern matches may still
    get an answer of its own.
    """
    if answer.is_spelled_out or not can_edit:
        return ""
    address = reverse("admin:results_typed_answers_accept", args=[pk])
    return f"{address}?{urlencode({'text': answer.text})}"


def _parse_share(typed: str) -> Fraction:
    """Return a part of the points: 1, 0.5, 1/3; for anything else -1, which the service refuses."""
    match = _SHARE.fullmatch(typed.strip())
    if match is None:
        return Fraction(-1)
    return Fraction(match[1].replace(",", ".")) / Fraction(match[2] or 1)


def _describe_errors(error: ServiceError) -> tuple[str, ...]:
    if isinstance(error, Conflict):
        return (_("Somebody else saved the draft meanwhile. Check it, then accept again."),)
    if isinstance(error, Invalid) and "problems" in error.detail:
        return tuple(
            describe_problem(problem.code, problem.detail) for problem in error.detail["problems"]
        )
    if error.code == "not_typed":
        return (_("The draft has another kind now, which has no accepted answers."),)
    return (describe_problem(error.code, error.detail),)


def _describe_outcome(text: str, number: int | None) -> str:
    if number is None:
        return _("“%(text)s” was added to the draft; publish it when the draft is ready.") % {
            "text": text
        }
    return _("“%(text)s” is accepted from version %(number)s on.") % {
        "text": text,
        "number": number,
    }
