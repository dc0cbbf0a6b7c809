"""Guests who do not come back: what they left open is ended, then they are erased (ADR 59)."""

import logging
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import User
from quizzes.attempts.guest_attempts import end_attempts_of_guest
from quizzes.lib.errors import Refused
from quizzes.privacy.person_erasure import erase_person
from quizzes.results.services import grade_or_log

log = logging.getLogger(__name__)
BATCH = 500


def purge_guests(*, now: datetime) -> int:
    """Erase the guests of long ago whom no account keeps, some at a time; return how many.

    Each is a transaction of its own: interrupted, it goes on where it was.
    """
    before = now - timedelta(days=settings.GUEST_DAYS)
    rows = User.objects.filter(guest_since__lt=before, kept_by=None, erased_at=None)
    return sum(_purge(guest, now) for guest in rows.order_by("pk")[:BATCH])


def _purge(guest: User, now: datetime) -> bool:
    for attempt in end_attempts_of_guest(guest=guest, now=now):
        grade_or_log(attempt=attempt, now=now)
    try:
        erase_person(person=guest, by=None, now=now)
    except Refused as refused:
        log.warning("guest %s is not erased: %s", guest.uuid, refused.code)
        return False
    return True
