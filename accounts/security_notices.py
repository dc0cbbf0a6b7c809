"""Mails on changes of an account: rows beside the change, sent by the clock, at least once."""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.invitation_links import build_link
from accounts.models import Invitation, NoticeKind, SecurityNotice, User
from quizzes.audit.origin import find_origin
from quizzes.lib import clock

log = logging.getLogger(__name__)

SENDING_TIME = timedelta(minutes=5)
"""Who is sending a mail has it for so long; then another process tries."""
LONGEST_PAUSE = timedelta(hours=6)
MAX_TRIES = 30
"""About a week: by then nobody expects the mail any more."""


def queue_notice(
    *,
    kind: NoticeKind,
    user: User | None = None,
    invitation: Invitation | None = None,
    recipients: tuple[str, ...] = (),
    **context: str,
) -> None:
    """Queue a mail on a change; call it inside the transaction that makes it.

    Without `recipients` it goes to the address of the person, or of the invitation that it is
    about. `context` is what its text names.
    """
    about = user or invitation
    now, origin = clock.now(), find_origin()
    SecurityNotice.objects.bulk_create(
        SecurityNotice(
            user=user,
            invitation=invitation,
            kind=kind,
            recipient=recipient,
            context={"address": origin.address, "host": origin.host} | context,
            happened_at=now,
            next_try_at=now,
        )
        for recipient in recipients or ((about.email,) if about else ())
    )


def send_due(*, now: datetime) -> int:
    """Send what waits and is due; return how many mails. Any number of processes may do so."""
    due = SecurityNotice.objects.filter(next_try_at__lte=now).select_related("user", "invitation")
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


def _describe_invitation(notice: SecurityNotice) -> dict[str, Any]:
    """Return what a mail says of an invitation, its link too: nothing where it is about none."""
    invitation = notice.invitation
    if invitation is None:
        return {}
    return {
        "link": build_link(invitation, notice.context.get("host", "")),
        "email": invitation.email,
        "expires_at": invitation.expires_at,
    }


def _build_message(notice: SecurityNotice) -> EmailMultiAlternatives:
    """Return the mail in the recipient's language, with the time in their zone."""
    about = notice.user or notice.invitation or User()
    template = f"account/email/{notice.kind}"
    # An erased person has no language any more: the notice brings it.
    language = notice.context.get("language") or about.language or settings.LANGUAGE_CODE
    zone = ZoneInfo(notice.user.time_zone if notice.user else settings.TIME_ZONE)
    with translation.override(language), timezone.override(zone):
        context = {
            **notice.context,
            **_describe_invitation(notice),
            "name": about.name,
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
