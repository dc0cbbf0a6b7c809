"""What a mail says of cards that wait to be studied."""

from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.invitation_links import build_address
from quizzes.notifications.errors import NotificationOmitted
from quizzes.notifications.models import Notification
from quizzes.study.selectors import load_today


def describe_study(notification: Notification, now: datetime) -> dict[str, Any]:
    """Return how many cards are left to be studied today, and the page of study.

    None, or the day of study that it was written for is over: NotificationOmitted.
    """
    today = load_today(notification.recipient, now)
    if today.day.start.isoformat() != notification.cause:
        raise NotificationOmitted("too_late")
    if not today.queue.count:
        raise NotificationOmitted("no_cards")
    return {
        "count": today.queue.count,
        "link": build_address(reverse("study"), ""),
        "settings_link": build_address(reverse("study_settings"), ""),
    }
