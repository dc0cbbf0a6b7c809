"""What a mail says of a quiz that opens or closes soon, or of an attempt that goes on."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts import zones
from accounts.invitation_links import build_address
from quizzes.attempts.access import takeable_by
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.rules import is_in_time
from quizzes.lib.translated_texts import choose_text
from quizzes.notifications.errors import NotificationOmitted
from quizzes.notifications.models import Notification, NotificationKind


def describe_window(notification: Notification, language: str, now: datetime) -> dict[str, Any]:
    """Return the title of the quiz, its times in the zone that is active, and its page.

    Over meanwhile, taken from this person, or handed in: NotificationOmitted.
    """
    times = {name: datetime.fromisoformat(written) for name, written in notification.data.items()}
    is_opening = notification.kind == NotificationKind.OPENS_SOON
    if times["opens_at" if is_opening else "closes_at"] <= now:
        raise NotificationOmitted("too_late")
    about = Notification.objects.filter(pk=notification.pk).values("quiz")
    takeable = takeable_by(notification.recipient).select_related("current")
    quiz = takeable.filter(pk__in=about).first()
    if quiz is None or quiz.current is None:
        raise NotificationOmitted("quiz_gone")
    ended = Attempt.objects.filter(
        quiz=quiz,
        learner=notification.recipient,
        state__in=(State.SUBMITTED, State.GRADED),
        is_staff_attempt=False,
    )
    if ended.exists():
        raise NotificationOmitted("handed_in")
    title, _ = choose_text(quiz.current.title, language, quiz.current.source_language)
    return {
        "quiz": title,
        "link": build_address(reverse("intro", args=[quiz.slug]), ""),
        **{name: describe_time(at) for name, at in times.items()},
    }


def describe_reopening(notification: Notification, language: str, now: datetime) -> dict[str, Any]:
    """Return the title of the quiz, until when the attempt goes on, and its page.

    It is over meanwhile: NotificationOmitted.
    """
    attempt = Attempt.objects.get(notifications=notification)
    if attempt.state != State.OPEN or not is_in_time(attempt.cutoff_at, now):
        raise NotificationOmitted("too_late")
    title, _ = Manifest.from_json(attempt.manifest).title_in(language)
    return {
        "quiz": title,
        "link": build_address(reverse("attempt", args=[attempt.uuid]), ""),
        "deadline_at": attempt.deadline_at and describe_time(attempt.deadline_at),
    }


def describe_time(at: datetime) -> str:
    """Return a time with its zone: 12 May 2026, 18:00 CEST (Europe/Madrid)."""
    written = date_format(timezone.localtime(at), gettext("j M Y, H:i"))
    zone = timezone.get_current_timezone_name()
    abbreviation = zones.abbreviate(at)
    return f"{written} {abbreviation}" + (f" ({zone})" if zone != abbreviation else "")
