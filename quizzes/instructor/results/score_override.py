"""The pages on which a person puts a score in place of the computed one, or comments on it."""

from fractions import Fraction
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.permissions import current_user
from quizzes.instructor.results.attempt_page import has_score_to_override, list_questions
from quizzes.instructor.results.question_answers_page import find_neighbour_addresses
from quizzes.instructor.results.score_errors import describe_score_error
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, ServiceError
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_count, parse_points
from quizzes.presentation.formatting import format_earned_points, format_points
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.manual_grading import (
    LONGEST_COMMENT,
    comment_on_answer,
    override_score,
    override_total,
)
from quizzes.results.models import ManualGrade, Purpose
from quizzes.results.selectors import load_report

COMMENT = "comment"
MARKING = "mark"
"""In the address of an attempt: its questions are shown with the forms of their scores."""
MAX_MARKS = 999_999_999
"""The largest number of marks of an attempt that its column holds."""


def can_override(attempt: Attempt, person: Any) -> bool:
    """Return whether scores of an attempt may be replaced by a person who oversees it."""
    return (
        attempt.state == State.GRADED
        and not attempt.is_staff_attempt
        and attempt.learner_id != person.pk
    )


def show_score_override(
    admin: Any, request: HttpRequest, attempt: Attempt, number: int
) -> HttpResponse:
    """Show a question with its score; on POST replace the score, or take the replacement back."""
    person, language = current_user(request), get_language() or "en"
    if not can_override(attempt, person):
        raise Http404
    try:
        report = load_report(
            attempt=attempt.uuid, viewer=person, language=language, now=clock.now()
        )
    except NotFound:
        raise Http404 from None
    record(AuditCode.KEYS_VIEWED, about=attempt.quiz, once=True)
    item = next((item for item in report.questions if item.slot == number - 1), None)
    if item is None or not has_score_to_override(item):
        raise Http404
    error, status = "", 200
    neighbours = find_neighbour_addresses(request, attempt)
    back = _find_address_back(request, attempt, number)
    if request.method == "POST":
        saved = (
            _("The comment on question %s is saved.")
            if COMMENT in request.POST
            else _("The score of question %s is saved.")
        )
        try:
            _save(request, attempt, item)
        except NotFound:
            raise Http404 from None
        except ServiceError as refused:
            points = format_points(item.manifest_slot.points)
            error, status = describe_score_error(refused, points)
        else:
            messages.success(request, saved % number)
            return redirect(
                neighbours.following
                or neighbours.answers
                or _find_address_back(request, attempt, number)
            )
    question = list_questions(attempt, report, person, language)[number - 1]
    last_reason = _find_last_reason(question.question, person) if neighbours.answers else ""
    context = {
        "question": question,
        "back": back,
        "neighbours": neighbours,
        "typed_points": request.POST.get("points", question.earned)[:MAX_NUMBER_LENGTH],
        "reason": request.POST.get("reason", last_reason),
        "comment": request.POST.get(COMMENT, question.own_comment),
        "longest_reason": LONGEST_COMMENT,
        "seen": load_manual_grades(attempt.pk).count,
        "error": error,
    }
    page: HttpResponse = admin.render_attempt_page(
        request, attempt, "override", context, status=status
    )
    return page


def _find_address_back(request: HttpRequest, attempt: Attempt, number: int) -> str:
    """Return where an attempt is shown; the form of the question, for who marks them there."""
    address = reverse("admin:attempts_attempt_change", args=[attempt.pk])
    return f"{address}?{MARKING}#question-{number}" if MARKING in request.GET else address


def show_total_override(admin: Any, request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Show the score of an attempt; on POST replace it, or take the replacement back."""
    person, language = current_user(request), get_language() or "en"
    if not can_override(attempt, person):
        raise Http404
    try:
        report = load_report(
            attempt=attempt.uuid, viewer=person, language=language, now=clock.now()
        )
    except NotFound:
        raise Http404 from None
    record(AuditCode.KEYS_VIEWED, about=attempt.quiz, once=True)
    score = report.summary.score
    if score is None or not score.maximum:
        raise Http404
    manual_grades, error, status = load_manual_grades(attempt.pk), "", 200
    if request.method == "POST":
        try:
            _save_total(request, attempt, score.maximum)
        except NotFound:
            raise Http404 from None
        except ServiceError as refused:
            error, status = describe_score_error(refused, format_points(score.maximum))
        else:
            messages.success(request, _("The score of the attempt is saved."))
            return redirect("admin:attempts_attempt_change", attempt.pk)
    earned = [item.earned for item in report.questions if item.earned is not None]
    computed = min(score.maximum, max(sum(earned, Fraction()), Fraction()))
    context = {
        "maximum": format_points(score.maximum),
        "computed": format_earned_points(computed, score.maximum),
        "total": format_points(score.total),
        "is_overridden": manual_grades.total is not None,
        "is_provisional": score.provisional,
        "typed_points": request.POST.get("points", format_points(score.total))[:MAX_NUMBER_LENGTH],
        "reason": request.POST.get("reason", report.total_reason),
        "longest_reason": LONGEST_COMMENT,
        "seen": manual_grades.count,
        "error": error,
    }
    page: HttpResponse = admin.render_attempt_page(
        request, attempt, "override_total", context, status=status
    )
    return page


def _read_share(request: HttpRequest, maximum: Fraction) -> Fraction | None:
    """Return the share of the points that was written; None to take a replaced score back.

    What is no number from 0 to the maximum: Invalid.
    """
    if "withdraw" in request.POST:
        return None
    points = parse_points(request.POST.get("points", ""), maximum=maximum)
    if points is None:
        raise Invalid("share_out_of_range", where="points")
    return points / maximum


def _save_total(request: HttpRequest, attempt: Attempt, maximum: Fraction) -> None:
    override_total(
        attempt=attempt.uuid,
        share=_read_share(request, maximum),
        reason=request.POST.get("reason", ""),
        by=current_user(request),
        seen=parse_count(request.POST.get("seen", ""), maximum=MAX_MARKS),
        now=clock.now(),
    )


def _find_last_reason(question: UUID, person: User) -> str:
    """Return why this person replaced a score of a question last: the next has often the same."""
    reasons = ManualGrade.objects.filter(
        version__question__uuid=question, grader=person, purpose=Purpose.OVERRIDE
    )
    return reasons.order_by("-pk").values_list("comment", flat=True).first() or ""


def _save(request: HttpRequest, attempt: Attempt, item: QuestionReport) -> None:
    if COMMENT in request.POST:
        comment_on_answer(
            attempt=attempt.uuid,
            slot=item.slot,
            comment=request.POST[COMMENT],
            by=current_user(request),
            now=clock.now(),
        )
        return
    override_score(
        attempt=attempt.uuid,
        slot=item.slot,
        share=_read_share(request, item.manifest_slot.points),
        reason=request.POST.get("reason", ""),
        by=current_user(request),
        seen=parse_count(request.POST.get("seen", ""), maximum=MAX_MARKS),
        now=clock.now(),
    )
