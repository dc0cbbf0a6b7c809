"""Mails on changes of an account: rows beside the change, sent by the clock, at least once."""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import NoticeKind, SecurityNotice, User
from quizzes.audit.origin import find_origin
from quizzes.lib import clock

log = logging.getLogger(__name__)

SENDING_TIME = timedelta(minutes=5)
"""Who is sending a mail has it for so long; then another process tries."""
LONGEST_PAUSE = timedelta(hours=6)
MAX_TRIES = 30
"""About a week: by then nobody expects the mail any more."""


def queue_notice(
    *, user: User, kind: NoticeKind, recipients: tuple[str, ...] = (), **context: str
) -> None:
    """Queue a mail on a change; call it inside the transaction that makes it.

    Without `recipients` it goes to the person's address. `context` is what its text names.
    """
    now, origin = clock.now(), find_origin()
    SecurityNotice.objects.bulk_create(
        SecurityNotice(
            user=user,
            kind=kind,
            recipient=recipient,
            context={"address": origin.address, "host": origin.host} | context,
            happened_at=now,
            next_try_at=now,
        )
        for recipient in recipients or (user.email,)
    )


def send_due(*, now: datetime) -> int:
    """Send what waits and is due; return how many mails. Any number of processes may do so."""
    due = SecurityNotice.objects.filter(next_try_at__lte=now).select_related("user")
    return sum(_claim_and_send(notice, now) for notice in due.order_by("pk")[:100])


def _claim_and_send(notice: SecurityNotice, now: datetime) -> bool:
    """Send one mail and delete its row; if sending fails, or the process dies, it is tried again.

    No transaction is open meanwhile: a mail server may take its time.
    """
    rows = SecurityNotice.objects.filter(pk=notice.pk)
    mine = rows.filter(tries=notice.tries, next_try_at=notice.next_try_at)
    if not mine.update(tries=notice.tries + 1, next_try_at=now + SENDING_TIME):
        return False
    try:
        _build_message(notice).send()
    except (OSError, SMTPException):
        log.exception("a mail on %s could not be sent, try %s", notice.kind, notice.tries + 1)
        if notice.tries >= MAX_TRIES:
            rows.delete()
        else:
            pause = min(timedelta(minutes=1) * 2**notice.tries, LONGEST_PAUSE)
            rows.update(next_try_at=now + pause)
        return False
    rows.delete()
    return True


def _build_message(notice: SecurityNotice) -> EmailMultiAlternatives:
    """Return the mail in the person's language, with the time in their zone."""
    user = notice.user
    template = f"account/email/{notice.kind}"
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(ZoneInfo(user.time_zone)):
        context = {
            **notice.context,
            "name": user.name,
            "happened_at": notice.happened_at,
            "language": language,
            "current_site": {"domain": notice.context.get("host", "")},
        }
        subject = render_to_string(f"{template}_subject.txt", context).strip()
        message = EmailMultiAlternatives(
            f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}",
            render_to_string(f"{template}_message.txt", context),
            to=[notice.recipient],
        )
        message.attach_alternative(
            render_to_string(f"{template}_message.html", context), "text/html"
        )
    return message
