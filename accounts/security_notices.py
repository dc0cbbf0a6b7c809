"""Mails on changes of an account: rows beside the change, sent by the clock, at least once."""

import logging
from collections.abc import Iterable
from datetime import datetime
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import OuterRef, Subquery
from django.urls import reverse

from accounts.invitation_links import build_address, build_link
from accounts.mail_delivery import build_mail, claim, compute_pause
from accounts.models import NoticeKind, SecurityNotice, User
from quizzes.audit.origin import find_origin
from quizzes.lib import clock, steady_clock

log = logging.getLogger(__name__)

MAX_TRIES = 30
"""About a week: by then nobody expects the mail any more."""


def queue_notice(
    *,
    kind: NoticeKind,
    user: User | None = None,
    recipients: tuple[str, ...] = (),
    **context: str,
) -> None:
    """Queue a mail on a change; call it inside the transaction that makes it.

    Without `recipients` it goes to the address of the person. `context` is what its text names.
    """
    queue_notices(
        SecurityNotice(user=user, kind=kind, recipient=recipient, context=context)
        for recipient in recipients or ((user.email,) if user else ())
    )


def queue_notices(notices: Iterable[SecurityNotice]) -> None:
    """Queue mails together; adds when it happened, and from where."""
    now, origin = clock.now(), find_origin()
    rows = list(notices)
    for notice in rows:
        notice.context = {"address": origin.address, "host": origin.host} | notice.context
        notice.happened_at = notice.next_try_at = now
    SecurityNotice.objects.bulk_create(rows)


def send_due(*, now: datetime, seconds: float = float("inf")) -> int:
    """Send what waits and is due, and begin no mail after so long; return how many were sent.

    Any number of processes may do so at once.
    """
    begun, sent = steady_clock.seconds(), 0
    due = SecurityNotice.objects.filter(next_try_at__lte=now).select_related("user", "invitation")
    owners = User.objects.filter(email=OuterRef("recipient"), confirmed_email=OuterRef("recipient"))
    # Looked up here, not by who invites: an address with an account looks like any other to them.
    due = due.annotate(owner_language=Subquery(owners.values("language")[:1]))
    for notice in due.order_by("pk")[:100]:
        if steady_clock.seconds() - begun >= seconds:
            break
        sent += _claim_and_send(notice, now)
    return sent


def _claim_and_send(notice: Any, now: datetime) -> bool:
    """Send one mail and delete its row; if sending fails, or the process dies, it is tried again.

    No transaction is open meanwhile: a mail server may take its time.
    """
    rows = SecurityNotice.objects.filter(pk=notice.pk)
    if not claim(notice, now):
        return False
    try:
        _build_message(notice).send()
    except (OSError, SMTPException):
        log.exception("a mail on %s could not be sent, try %s", notice.kind, notice.tries + 1)
        if notice.tries >= MAX_TRIES:
            rows.delete()
        else:
            rows.update(next_try_at=now + compute_pause(notice.tries))
        return False
    rows.delete()
    return True


def _describe_invitation(notice: SecurityNotice) -> dict[str, Any]:
    """Return what a mail says of an invitation and its link; else the link to the first page."""
    invitation, host = notice.invitation, notice.context.get("host", "")
    if invitation is None:
        return {"link": build_address(reverse("home"), host)}
    return {
        "link": build_link(invitation, host),
        "email": invitation.email,
        "expires_at": invitation.expires_at,
    }


def _build_message(notice: Any) -> EmailMultiAlternatives:
    """Return the mail in the recipient's language, with the time in their zone."""
    about = notice.user or notice.invitation or User()
    # An erased person has no language any more: the notice brings it.
    # Who is invited and has an account reads the language of that one.
    owner_language = notice.owner_language if notice.invitation else ""
    chosen = notice.context.get("language") or owner_language
    language = chosen or about.language or settings.LANGUAGE_CODE
    context = {
        **notice.context,
        **_describe_invitation(notice),
        "name": about.name,
        "happened_at": notice.happened_at,
        "language": language,
        "current_site": {"domain": notice.context.get("host", "")},
    }
    return build_mail(
        f"account/email/{notice.kind}",
        context,
        recipient=notice.recipient,
        language=language,
        zone=notice.user.time_zone if notice.user else settings.TIME_ZONE,
    )
