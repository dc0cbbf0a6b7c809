"""Reading the outbox: which events become notifications of whom."""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, QuerySet

from accounts.mail_delivery import compute_pause
from quizzes.attempts.models import Attempt
from quizzes.challenges.models import Challenge
from quizzes.events.models import Event, UnreadEvent
from quizzes.notifications.models import (
    Notification,
    NotificationKind,
    NotificationState,
)
from quizzes.notifications.preferences import create_wanted
from quizzes.results.models import Grading, Reason

log = logging.getLogger(__name__)

BATCH: Final = 200
MAX_TRIES: Final = 5
"""How often an event is tried before it is told of; then it is still tried, every six hours."""


def read_events(*, now: datetime) -> int:
    """Write the notifications of a batch of unread events; return how many were read.

    Any number of processes may do so at once: each event is locked, and goes from the unread ones
    in the transaction that writes its notifications. One that cannot be read holds up no other.
    """
    try:
        with transaction.atomic():
            return _read(list(_list_unread(now)[:BATCH]), now)
    except (OperationalError, InterfaceError):  # the database does not answer
        raise
    except Exception:
        log.exception("a batch of events could not be read; reading each by itself")
    unread = list(_list_unread(now).values_list("pk", flat=True)[:BATCH])
    return sum(_read_alone(pk, now) for pk in unread)


def list_unreadable() -> QuerySet[UnreadEvent]:
    """Return the events that could not be read, though it was tried often enough."""
    return UnreadEvent.objects.filter(tries__gte=MAX_TRIES)


def count_quarantined() -> int:
    """Return how many events could not be read and how many mails not sent, in one query."""
    unreadable = list_unreadable().order_by().values("pk")
    quarantined = Notification.objects.filter(state=NotificationState.QUARANTINED)
    return unreadable.union(quarantined.order_by().values("pk"), all=True).count()


def _list_unread(now: datetime) -> QuerySet[UnreadEvent]:
    return UnreadEvent.objects.filter(next_try_at__lte=now).order_by("pk")


def _read_alone(pk: int, now: datetime) -> int:
    rows = UnreadEvent.objects.filter(pk=pk)
    try:
        with transaction.atomic():
            return _read(list(rows), now)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        log.exception("event %s could not be read", pk)
        tries = rows.values_list("tries", flat=True).get()
        rows.update(
            tries=F("tries") + 1,
            next_try_at=now + compute_pause(tries),
            error=f"{type(error).__name__}: {error}",
        )
        return 0


def _read(unread: Sequence[UnreadEvent], now: datetime) -> int:
    pks = [row.pk for row in unread]
    locked = UnreadEvent.objects.filter(pk__in=pks).select_related("event").order_by("pk")
    events = [row.event for row in locked.select_for_update(of=("self",), skip_locked=True)]
    planned = [
        *_plan_gradings(events, now),
        *_plan_challenges(events, now),
        *_plan_reopenings(events, now),
    ]
    create_wanted(planned)
    UnreadEvent.objects.filter(pk__in=[event.pk for event in events]).delete()
    return len(events)


def _plan_gradings(events: Sequence[Event], now: datetime) -> Iterator[Notification]:
    """Yield what learners have to know of gradings after the first of their attempts."""
    graded = [event for event in events if event.kind == "attempt.graded"]
    attempts = {
        attempt.uuid: attempt
        for attempt in Attempt.objects.filter(
            uuid__in={event.subject for event in graded}, is_staff_attempt=False
        ).only("uuid", "learner_id", "quiz_id")
    }
    gradings = {
        (grading.attempt_id, grading.number): grading
        for grading in Grading.objects.filter(attempt__in=[row.pk for row in attempts.values()])
    }
    for event in graded:
        attempt, number = attempts.get(event.subject), event.data["grading"]
        if attempt is None or number < 2:  # noqa: PLR2004  the first one has none before it
            continue
        kind = find_kind(gradings[attempt.pk, number - 1], gradings[attempt.pk, number])
        if kind is not None:
            yield Notification(
                recipient_id=attempt.learner_id,
                kind=kind,
                cause=str(event.uuid),
                quiz_id=attempt.quiz_id,
                attempt=attempt,
                data={"grading": number},
                created_at=now,
                next_try_at=now,
            )


def find_kind(before: Grading, after: Grading) -> NotificationKind | None:
    """Return what a learner is notified of by a grading after another; None: of nothing.

    Of answers that persons grade once the last of them is; of a changed score always, but while
    persons are at it.
    """
    if before.provisional and not after.provisional:
        return NotificationKind.GRADED
    if after.provisional and after.reason != Reason.REGRADE:
        return None
    outcomes = [(row.total, row.maximum, row.passed) for row in (before, after)]
    return NotificationKind.REGRADED if outcomes[0] != outcomes[1] else None


def _plan_challenges(events: Sequence[Event], now: datetime) -> Iterator[Notification]:
    """Yield that a learner's challenge was answered, or answered again."""
    answered = {event.subject: event for event in events if event.kind == "challenge_answered"}
    for challenge in Challenge.objects.filter(uuid__in=answered).order_by("pk"):
        yield Notification(
            recipient_id=challenge.learner_id,
            kind=NotificationKind.CHALLENGE_ANSWERED,
            cause=str(answered[challenge.uuid].uuid),
            quiz_id=challenge.quiz_id,
            attempt_id=challenge.attempt_id,
            data={"slot": challenge.slot},
            created_at=now,
            next_try_at=now,
        )


def _plan_reopenings(events: Sequence[Event], now: datetime) -> Iterator[Notification]:
    """Yield that a learner may go on with an attempt that was handed in."""
    reopened = {event.subject: event for event in events if event.kind == "attempt.reopened"}
    for attempt in Attempt.objects.filter(uuid__in=reopened, is_staff_attempt=False).order_by("pk"):
        yield Notification(
            recipient_id=attempt.learner_id,
            kind=NotificationKind.REOPENED,
            cause=str(reopened[attempt.uuid].uuid),
            quiz_id=attempt.quiz_id,
            attempt=attempt,
            created_at=now,
            next_try_at=now,
        )
