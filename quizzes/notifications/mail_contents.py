"""What the mail of a notification says, as far as its recipient may read it when it is sent."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.invitation_links import build_address
from accounts.models import User
from quizzes.notifications.errors import NotificationOmitted
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.notifications.preferences import build_token
from quizzes.notifications.result_contents import describe_result
from quizzes.notifications.study_contents import describe_study
from quizzes.notifications.window_contents import describe_reopening, describe_window


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
    if notification.kind in (NotificationKind.OPENS_SOON, NotificationKind.CLOSES_SOON):
        specific = describe_window(notification, language, now)
    elif notification.kind == NotificationKind.STUDY:
        specific = describe_study(notification, now)
    elif notification.kind == NotificationKind.REOPENED:
        specific = describe_reopening(notification, language, now)
    else:
        specific = describe_result(notification, language, now)
    return {
        "language": language,
        "name": recipient.name,
        "current_site": {"domain": settings.ALLOWED_HOSTS[0]},
        "unsubscribe_link": build_unsubscribe_link(notification),
        **specific,
    }


def build_unsubscribe_link(notification: Notification) -> str:
    """Return the address by which a person ends this kind of mail, without signing in."""
    token = build_token(notification.recipient, notification.kind)
    return build_address(reverse("unsubscribe", args=[token]), "")


def choose_language(recipient: User) -> str:
    """Return the language in which a person is written to."""
    return recipient.language or settings.LANGUAGE_CODE
