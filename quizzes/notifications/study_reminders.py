"""Cards that wait to be studied: who of those who asked for it is reminded, once a day."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Q, QuerySet

from quizzes.notifications.models import Notification, NotificationKind, NotificationPreference
from quizzes.notifications.preferences import create_wanted
from quizzes.study.domain import replay
from quizzes.study.domain.times import find_study_day
from quizzes.study.models import StudyCard, StudySettings

LATEST: Final = 3
"""Hours after the chosen one in which a reminder still goes out: at night nobody is written to."""
MOST_UNANSWERED: Final = 3
"""Reminders in a row after which a person who does not study is reminded once a week only."""
PAUSE: Final = timedelta(days=7)


def remind_of_study(*, now: datetime) -> int:
    """Write who is to be told that cards wait; return how many there are anew.

    Not whoever has studied in their day of study already. In five queries, however many there are.
    """
    rows = NotificationPreference.objects.filter(
        kind=NotificationKind.STUDY,
        is_wanted=True,
        user__is_active=True,
        user__erased_at=None,
    )
    learners = rows.values("user")
    hours = {
        learner: (reminder_hour, day_starts_at)
        for learner, reminder_hour, day_starts_at in StudySettings.objects.filter(
            learner__in=learners
        ).values_list("learner", "reminder_hour", "day_starts_at")
    }
    last_reviews = _load_last_reviews_of_ready(learners, now)
    reminders = _load_reminders(learners, now)
    default = StudySettings()
    planned = []
    for learner, time_zone in rows.values_list("user", "user__time_zone"):
        reminder_hour, day_starts_at = hours.get(
            learner, (default.reminder_hour, default.day_starts_at)
        )
        zone = ZoneInfo(time_zone)
        if (
            learner not in last_reviews
            or (now.astimezone(zone).hour - reminder_hour) % 24 >= LATEST
        ):
            continue
        day, last = find_study_day(now, zone, day_starts_at), last_reviews[learner]
        sent = [at for at in reminders[learner] if last is None or at > last]
        if (last is not None and last >= day.start) or _is_silent(sent, day.start, now):
            continue
        planned.append(
            Notification(
                recipient_id=learner,
                kind=NotificationKind.STUDY,
                cause=day.start.isoformat(),
                created_at=now,
                next_try_at=now,
            )
        )
    create_wanted(planned)
    return len(planned)


def _is_silent(sent: Sequence[datetime], day_start: datetime, now: datetime) -> bool:
    """Return whether somebody is not reminded again now: today already, or often in vain."""
    if not sent:
        return False
    return max(sent) >= day_start or (len(sent) >= MOST_UNANSWERED and max(sent) > now - PAUSE)


def _load_last_reviews_of_ready(
    learners: QuerySet[Any], now: datetime
) -> dict[int, datetime | None]:
    """Return when learners reviewed last who may have cards to study; None: never.

    Whether a card may be asked now is decided when the mail is sent.
    """
    is_ready = Q(is_suspended=False) & (Q(phase=replay.NEW) | Q(due_at__lt=now + timedelta(days=1)))
    rows = (
        StudyCard.objects.filter(learner__in=learners)
        .order_by()
        .values("learner")
        .annotate(ready=Count("pk", filter=is_ready), last=Max("last_reviewed_at"))
        .filter(ready__gt=0)
    )
    return dict(rows.values_list("learner", "last"))


def _load_reminders(learners: QuerySet[Any], now: datetime) -> defaultdict[int, list[datetime]]:
    """Return when learners were reminded of late, by learner."""
    rows = Notification.objects.filter(
        kind=NotificationKind.STUDY, recipient__in=learners, created_at__gt=now - 5 * PAUSE
    ).order_by()
    reminders = defaultdict(list)
    for learner, at in rows.values_list("recipient", "created_at"):
        reminders[learner].append(at)
    return reminders
