"""The pages on which a person puts a score in place of the computed one, or comments on it."""

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.models import User
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.permissions import current_user
from quizzes.instructor.results.attempt_page import has_score_to_override, list_questions
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused, ServiceError
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_count, parse_points
from quizzes.presentation.formatting import format_points
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.double_grading import OVERRIDDEN
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
MAX_MARKS = 999_999_999
"""The largest number of marks of an attempt that its column holds."""
ERRORS = {
    "reason_missing": gettext_lazy("Say why: the reason stays with the score."),
    "comment_too_long": gettext_lazy("The reason is too long."),
    "denominator_too_large": gettext_lazy("Write the points with fewer digits."),
    "marked_meanwhile": gettext_lazy(
        "Somebody graded this attempt in the meantime. Nothing was saved; look at it again."
    ),
    "waits_for_person": gettext_lazy("An answer still waits for a person; grade it first."),
    "not_overridden": gettext_lazy("The computed score counts already."),
}


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
            error = _describe_error(refused, item.manifest_slot.points)
            status = 409 if isinstance(refused, (Conflict, Refused)) else 200
        else:
            messages.success(request, saved % number)
            return redirect("admin:attempts_attempt_change", attempt.pk)
    question = list_questions(attempt, report, language)[number - 1]
    context = {
        "question": question,
        "is_overridden": OVERRIDDEN in item.reasons,
        "computed": format_points(_compute_points(item)),
        "typed_points": request.POST.get("points", question.earned)[:MAX_NUMBER_LENGTH],
        "reason": request.POST.get("reason", ""),
        "comment": request.POST.get(COMMENT, "") or _find_own_comment(attempt, item.slot, person),
        "longest_reason": LONGEST_COMMENT,
        "seen": load_manual_grades(attempt.pk).count,
        "error": error,
    }
    page: HttpResponse = admin.render_attempt_page(
        request, attempt, "override", context, status=status
    )
    return page


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
            error = _describe_error(refused, score.maximum)
            status = 409 if isinstance(refused, (Conflict, Refused)) else 200
        else:
            messages.success(request, _("The score of the attempt is saved."))
            return redirect("admin:attempts_attempt_change", attempt.pk)
    earned = [item.earned for item in report.questions if item.earned is not None]
    computed = min(score.maximum, max(sum(earned, Fraction()), Fraction()))
    context = {
        "maximum": format_points(score.maximum),
        "computed": format_points(computed),
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


def _find_own_comment(attempt: Attempt, slot: int, person: User) -> str:
    """Return what this person commented on an answer last."""
    comments = ManualGrade.objects.filter(
        attempt=attempt, slot=slot, grader=person, purpose=Purpose.COMMENT
    )
    return comments.order_by("-number").values_list("comment", flat=True).first() or ""


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


def _compute_points(item: QuestionReport) -> Fraction:
    """Return what the question earns without the override."""
    earned = sum((line.earned for line in item.ledger if line.reason != OVERRIDDEN), Fraction())
    return earned * item.manifest_slot.points


def _describe_error(error: ServiceError, maximum: Fraction) -> str:
    if error.code == "share_out_of_range":
        points = format_points(maximum)
        return _("Write a number from 0 to %(points)s: 3, 2.5, 7/3.") % {"points": points}
    return str(ERRORS.get(error.code) or _("The score was not saved."))
