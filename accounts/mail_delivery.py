"""Mails that wait as rows: who sends one now, how long one waits after a failure, what it holds."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

SENDING_TIME = timedelta(minutes=5)
"""Who is sending a mail has it for so long; then another process tries."""
LONGEST_PAUSE = timedelta(hours=6)


def claim(row: Any, now: datetime) -> bool:
    """Take a row with `tries` and `next_try_at` to send its mail; return whether nobody else did.

    A process that dies while it sends leaves it to the next, once SENDING_TIME is over.
    """
    unchanged = type(row)._default_manager.filter(
        pk=row.pk, tries=row.tries, next_try_at=row.next_try_at
    )
    return bool(unchanged.update(tries=row.tries + 1, next_try_at=now + SENDING_TIME))


def compute_pause(tries: int) -> timedelta:
    """Return how long a mail waits after it could not be sent so many times before."""
    return min(timedelta(minutes=1 << min(tries, 20)), LONGEST_PAUSE)


def build_mail(
    template: str, context: Mapping[str, Any], *, recipient: str, language: str, zone: str
) -> EmailMultiAlternatives:
    """Return a mail as text and HTML, by `<template>_subject.txt`, `_message.txt` and `.html`."""
    with translation.override(language), timezone.override(ZoneInfo(zone)):
        subject = render_to_string(f"{template}_subject.txt", dict(context)).strip()
        message = EmailMultiAlternatives(
            f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}",
            render_to_string(f"{template}_message.txt", dict(context)),
            to=[recipient],
        )
        message.attach_alternative(
            render_to_string(f"{template}_message.html", dict(context)), "text/html"
        )
    return message
