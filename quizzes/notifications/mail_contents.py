"""What the mail of a notification says, as far as its recipient may read it when it is sent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.invitation_links import build_address
from accounts.models import User
from quizzes.attempts.models import State
from quizzes.challenges.selectors import find_own_challenge
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.notifications.preferences import build_token
from quizzes.presentation.formatting import format_points
from quizzes.results.attempt_report import AttemptSummary, Score
from quizzes.results.models import Grading, RegradeRule
from quizzes.results.selectors import list_own_attempts, load_summaries


class NotificationOmitted(Exception):
    """The mail has nothing to say to this person now; `code` is why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def build_context(notification: Notification, now: datetime) -> dict[str, Any]:
    """Return what the templates of a mail show. Nothing to say: NotificationOmitted.

    In the language of the recipient, which the caller has activated.
    """
    recipient = notification.recipient
    if not recipient.is_active or recipient.erased_at is not None:
        raise NotificationOmitted("account_ended")
    if not recipient.is_confirmed:
        raise NotificationOmitted("address_not_confirmed")
    language = choose_language(recipient)
    summary = _load_summary(notification, now)
    return {
        "language": language,
        "name": recipient.name,
        "quiz": summary.title_in(language),
        "attempt_number": summary.number,
        "current_site": {"domain": settings.ALLOWED_HOSTS[0]},
        "unsubscribe_link": build_unsubscribe_link(notification),
        **(
            _describe_challenge(notification, summary)
            if notification.kind == NotificationKind.CHALLENGE_ANSWERED
            else _describe_grading(notification, summary)
        ),
    }


def build_unsubscribe_link(notification: Notification) -> str:
    """Return the address by which a person ends this kind of mail, without signing in."""
    token = build_token(notification.recipient, notification.kind)
    return build_address(reverse("unsubscribe", args=[token]), "")


def choose_language(recipient: User) -> str:
    """Return the language in which a person is written to."""
    return recipient.language or settings.LANGUAGE_CODE


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
        "score_before": _describe_score(before, threshold),
        "score": _describe_score(after, threshold),
        "provisional": after.provisional,
        "reasons": _list_reasons(notification, before, after) if summary.visibility.key else (),
    }


def _describe_score(grading: Grading, threshold: Any) -> Mapping[str, Any]:
    score = Score(grading.total, grading.maximum, threshold, grading.passed, grading.provisional)
    return {
        "points": format_points(score.total),
        "maximum": format_points(score.maximum),
        "percent": score.percent,
        "passed": score.passed,
    }


def _list_reasons(notification: Notification, before: Grading, after: Grading) -> tuple[str, ...]:
    """Return why it was regraded, for who may see the key: the reason may name it."""
    rules = RegradeRule.objects.filter(
        quiz=notification.quiz_id,
        number__gt=before.regrade_rules_read,
        number__lte=after.regrade_rules_read,
    )
    return tuple(rules.order_by("number").values_list("reason", flat=True))


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
