"""The result page: the outcome, and question by question why."""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.models import User
from grading.totals import format_decimal
from quizzes.attempts.models import State, SubmissionReason
from quizzes.attempts.receipt import SHORT
from quizzes.attempts.selectors import find_reopened
from quizzes.certificates.selectors import is_certifiable, list_certified_attempts
from quizzes.lib import clock
from quizzes.practice.study_advice import PracticeOffer, load_study_advice
from quizzes.presentation.formatting import (
    format_earned_points,
    format_percent,
    format_points,
    format_score,
)
from quizzes.presentation.messages.attempts import describe_refusal, describe_reveal
from quizzes.presentation.review_rendering import render_review
from quizzes.publishing.models import RevealMoment
from quizzes.results.attempt_report import (
    AttemptReport,
    AttemptSummary,
    QuestionReport,
    RegradeNotice,
)
from quizzes.results.next_steps import gains_by_giving_up, list_missed
from quizzes.results.selectors import load_report
from quizzes.results.services import finish_overdue
from quizzes.web import view_models
from quizzes.web.decorators import (
    current_user,
    guests_allowed,
    login_required_page,
    render_corrupt_attempt,
)


@guests_allowed
@login_required_page
@require_safe
def result(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Show an ended attempt, as far as this person may see it now; an open one goes on."""
    viewer, now, lang = current_user(request), clock.now(), request.LANGUAGE_CODE
    attempt_report = load_report(attempt=attempt, viewer=viewer, language=lang, now=now)
    mine = attempt_report.summary.learner == viewer.uuid
    if mine and attempt_report.summary.state == State.SUBMITTED:
        finish_overdue(learner=viewer, now=now)
        attempt_report = load_report(attempt=attempt, viewer=viewer, language=lang, now=now)
    if attempt_report.manifest is None:
        return render_corrupt_attempt(request)
    if mine and attempt_report.summary.state == State.OPEN:
        return redirect("attempt", attempt)
    reopened = find_reopened(attempt) if attempt_report.summary.state == State.VOID else None
    steps = _next_steps(attempt_report, reopened) if mine else [_home_step(_("Go to my quizzes"))]
    if viewer.guest_since is not None:
        steps = _steps_of_guest(request, attempt_report)
    header = _build_header(attempt_report, attempt_report.manifest.threshold, steps)
    if mine and viewer.guest_since is None:
        header = _add_next(header, attempt_report, viewer)
    summary = attempt_report.summary
    graded = summary.state == State.GRADED
    context = {
        "quiz_title": summary.title_in(lang),
        "quiz_lang": lang if summary.title.get(lang) else summary.source_language,
        "result": header,
        "answers_html": _render_answers(
            attempt_report, lang, may_challenge=mine and viewer.guest_since is None
        )
        if graded
        else "",
        "regrades": [_describe_regrade(notice) for notice in attempt_report.regrades],
        "total_reason": attempt_report.total_reason,
        "receipt": _summarize_receipt(summary) if viewer.guest_since is None else None,
        "attempt_id": attempt,
        "is_reopened": reopened is not None,
    }
    return render(request, "quizzes/pages/result.html", context)


def _render_answers(attempt_report: AttemptReport, lang: str, *, may_challenge: bool) -> str:
    """Return the questions; whose attempt it is has a link at each to challenge it."""
    if not may_challenge:
        return render_review(attempt_report.questions, lang)
    # One reverse() a page: it costs as much as rendering a question.
    pattern = reverse("challenge", args=[attempt_report.summary.attempt, 0])
    before, _slash, after = pattern.rpartition("/0/")
    return render_review(
        attempt_report.questions, lang, lambda number: f"{before}/{number}/{after}"
    )


def _describe_regrade(notice: RegradeNotice) -> view_models.RegradeText:
    before, after = notice.before, notice.after
    return view_models.RegradeText(
        notice.regraded_at,
        format_score(before.total, before.maximum, before.percent),
        format_score(after.total, after.maximum, after.percent),
        now_passes=after.passed and not before.passed,
        no_longer_passes=before.passed and not after.passed,
        reasons=notice.reasons,
    )


def _summarize_receipt(summary: AttemptSummary) -> view_models.ReceiptSummary | None:
    digest = summary.receipt_digest
    if not digest:
        return None
    return view_models.ReceiptSummary(digest, digest[:SHORT], summary.receipt_issued_at)


def _build_header(
    attempt_report: AttemptReport, threshold: Fraction, steps: list[view_models.NextStep]
) -> view_models.ResultHeader:
    summary, score = attempt_report.summary, attempt_report.summary.score
    return view_models.ResultHeader(
        passed=score.passed if score and not score.provisional else None,
        percent=score.percent if score else None,
        threshold=format_decimal(threshold * 100, 4),
        pass_mark=format_percent(threshold),
        total=format_points(score.total) if score else "",
        maximum=format_points(score.maximum) if score else "",
        submitted_at=summary.submitted_at,
        attempt_number=summary.number,
        learner_name=summary.learner_name,
        state=summary.state,
        expired=summary.submission_reason == SubmissionReason.EXPIRED,
        time_over_at=_time_over_at(summary),
        provisional=bool(score and score.provisional),
        is_staff_attempt=summary.is_staff_attempt,
        next_steps=steps,
        shown_later=_list_shown_later(attempt_report),
    )


def _add_next(
    header: view_models.ResultHeader, attempt_report: AttemptReport, learner: User
) -> view_models.ResultHeader:
    """Add to the head of one's own result what to work on, and how to see what is right."""
    advice = load_study_advice(attempt_report, learner)
    topics = [
        view_models.TopicRow(
            topic.tag,
            format_earned_points(topic.earned, topic.points),
            [slot + 1 for slot in topic.slots],
        )
        for topic in advice.topics
    ]
    address = reverse("give_up", args=[attempt_report.summary.attempt])
    give_up_url = address if gains_by_giving_up(attempt_report) else ""
    attempt = attempt_report.summary.attempt
    practice_steps = [_practice_step(advice.practice, attempt)] if advice.practice else []
    steps = [*practice_steps, *header.next_steps]
    return replace(
        header,
        weak_topics=topics,
        give_up_url=give_up_url,
        next_steps=steps,
        certificate_url=_find_certificate_url(attempt_report, learner),
    )


def _find_certificate_url(attempt_report: AttemptReport, learner: User) -> str:
    """Return where one's certificate of a pass is, or is made; "" where there is none."""
    summary = attempt_report.summary
    if not is_certifiable(summary):
        return ""
    existing = list_certified_attempts([summary.attempt], learner)
    if summary.attempt in existing:
        return reverse("certificate", args=[existing[summary.attempt]])
    return reverse("choose_certificate", args=[summary.attempt])


def _practice_step(offer: PracticeOffer, attempt: UUID) -> view_models.NextStep:
    address, count = reverse("practice", args=[offer.slug]), offer.missed_count
    if not count:
        return view_models.NextStep(_("Practise these topics"), address)
    label = ngettext("Practise this question", "Practise these %(count)d questions", count)
    return view_models.NextStep(label % {"count": count}, f"{address}?missed={attempt}")


def _time_over_at(summary: AttemptSummary) -> datetime | None:
    """Return when time was over, if it was before the attempt was submitted."""
    ends, submitted = summary.deadline_at, summary.submitted_at
    return ends if ends and submitted and submitted >= ends else None


def _next_steps(attempt_report: AttemptReport, reopened: UUID | None) -> list[view_models.NextStep]:
    """Return what may come next: the missed questions, another attempt or when, home.

    An attempt that was reopened goes on in another.
    """
    if reopened is not None:
        go_on = view_models.NextStep(
            _("Go on with this attempt"), reverse("attempt", args=[reopened])
        )
        return [go_on, _home_step(_("Go to my quizzes"))]
    steps = _retry_steps(attempt_report)
    visible = attempt_report.summary.visibility
    if not (visible.correctness and visible.score):
        questions, label = _list_hinted(attempt_report), _("Look at the hints")
    else:
        questions, label = list_missed(attempt_report.questions), _("Look at what you missed")
    if questions:
        steps.append(view_models.NextStep(label, f"#question-{questions[0].slot + 1}"))
    return [*steps, _home_step(_("Go to my quizzes"))]


def _list_hinted(attempt_report: AttemptReport) -> list[QuestionReport]:
    return [item for item in attempt_report.questions if item.hints or item.reading_link]


def _list_shown_later(attempt_report: AttemptReport) -> list[str]:
    """Return when what was right and wrong is shown of a graded attempt that hides it."""
    summary, manifest = attempt_report.summary, attempt_report.manifest
    if manifest is None or summary.state != State.GRADED or summary.visibility.correctness:
        return []
    policy = manifest.policies.reveal
    return describe_reveal(policy, {policy.correctness} - {RevealMoment.NEVER})


def _steps_of_guest(
    request: HttpRequest, attempt_report: AttemptReport
) -> list[view_models.NextStep]:
    """Return what comes next for who has no account: one that keeps this result, or again."""
    if request.session.get(SESSION_KEY):  # they have signed in since they began
        keep = [view_models.NextStep(_("Keep this result"), reverse("keep_results"))]
    else:
        keep = [
            view_models.NextStep(
                _("Make an account and keep this result"), reverse("account_signup")
            ),
            view_models.NextStep(_("Sign in and keep this result"), reverse("account_login")),
        ]
    return [*keep, *_retry_steps(attempt_report)]


def _home_step(text: str) -> view_models.NextStep:
    return view_models.NextStep(text, reverse("home"))


def _retry_steps(attempt_report: AttemptReport) -> list[view_models.NextStep]:
    may = attempt_report.next_attempt
    if may is None:
        return []
    if may.allowed:
        return [
            view_models.NextStep(
                _("Try again"), reverse("intro", args=[attempt_report.summary.slug])
            )
        ]
    if may.available_at:
        return [view_models.NextStep(_("The next attempt opens"), opens_at=may.available_at)]
    return [view_models.NextStep(describe_refusal(may.code))]
