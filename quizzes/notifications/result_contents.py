"""What a mail says of an attempt: old and new score, why, or the answer to a challenge."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.invitation_links import build_address
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.challenges.selectors import find_own_challenge
from quizzes.notifications.errors import NotificationOmitted
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.presentation.formatting import format_earned_points
from quizzes.results.attempt_report import AttemptSummary, Score
from quizzes.results.models import Grading
from quizzes.results.regrade_notices import build_score, load_regrade_notices
from quizzes.results.selectors import list_own_attempts, load_summaries


def describe_result(notification: Notification, language: str, now: datetime) -> dict[str, Any]:
    """Return what is told of an attempt. It is not there, or nothing is: NotificationOmitted."""
    summary = _load_summary(notification, now)
    is_challenge = notification.kind == NotificationKind.CHALLENGE_ANSWERED
    describe = _describe_challenge if is_challenge else _describe_grading
    return {
        "quiz": summary.title_in(language),
        "attempt_number": summary.number,
        **describe(notification, summary),
    }


def _load_summary(notification: Notification, now: datetime) -> AttemptSummary:
    recipient = notification.recipient
    rows = list_own_attempts(recipient).filter(notifications=notification)
    summaries = load_summaries(rows, recipient, now)
    if not summaries or summaries[0].state != State.GRADED:
        raise NotificationOmitted("attempt_voided")
    if summaries[0].problem:
        raise NotificationOmitted("attempt_unreadable")
    return summaries[0]


def _describe_grading(notification: Notification, summary: AttemptSummary) -> dict[str, Any]:
    """Return old and new score as far as this learner sees the score of the attempt now."""
    link = build_address(reverse("result", args=[summary.attempt]), "")
    if summary.score is None:
        if notification.kind == NotificationKind.REGRADED:
            # Nothing that they know has changed: they never saw the score before.
            raise NotificationOmitted("score_hidden")
        return {"link": link, "score": None}
    number = notification.data["grading"]
    rows = Grading.objects.filter(
        attempt=notification.attempt_id, number__in=(number - 1, number)
    ).order_by("number")
    before, after = list(rows)
    threshold = summary.score.threshold
    return {
        "link": link,
        "score_before": _describe_score(build_score(before, threshold)),
        "score": _describe_score(build_score(after, threshold)),
        "provisional": after.provisional,
        # The page shows why to whoever sees the score; a mail goes further, and may name the key.
        "reasons": _list_reasons(notification, after) if summary.visibility.key else (),
    }


def _describe_score(score: Score) -> Mapping[str, Any]:
    return {
        "points": format_earned_points(score.total, score.maximum),
        "percent": score.percent,
        "passed": score.passed,
    }


def _list_reasons(notification: Notification, after: Grading) -> tuple[str, ...]:
    """Return why this grading changed the score, as the page of the result says it."""
    attempt = Attempt.objects.get(notifications=notification)
    notices = load_regrade_notices(attempt.quiz_id, after, Manifest.from_json(attempt.manifest))
    newest = notices[0] if notices else None
    return newest.reasons if newest and newest.regraded_at == after.graded_at else ()


def _describe_challenge(notification: Notification, summary: AttemptSummary) -> dict[str, Any]:
    """Return the answer to a challenge as far as its learner may read it now."""
    slot = notification.data["slot"]
    challenge = find_own_challenge(
        attempt=summary.attempt,
        slot=slot,
        learner=notification.recipient,
        visible=summary.visibility,
    )
    if challenge is None or not challenge.is_answered:
        raise NotificationOmitted("challenge_gone")
    page = reverse("challenge", args=[summary.attempt, slot + 1])
    return {
        "link": build_address(page, ""),
        "question_number": slot + 1,
        "verdict": challenge.verdict,
        "answer": challenge.answer,
    }
