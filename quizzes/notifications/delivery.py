"""Sending notifications that wait: at least once, whatever dies meanwhile.

A mail server that is away delays all of them and counts against none; what cannot be built or is
refused for itself is tried some times, and then put in quarantine.
"""

import logging
from datetime import datetime, timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPException,
    SMTPHeloError,
    SMTPServerDisconnected,
)
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import InterfaceError, OperationalError
from django.db.models import OuterRef, Subquery
from django.utils import timezone, translation

from accounts.mail_delivery import build_mail, claim, compute_pause
from quizzes.lib import steady_clock
from quizzes.notifications.errors import NotificationOmitted
from quizzes.notifications.mail_contents import build_context, choose_language
from quizzes.notifications.models import Notification, NotificationPreference, NotificationState
from quizzes.notifications.preferences import is_wanted

log = logging.getLogger(__name__)

BATCH: Final = 100
MAX_TRIES: Final = 5
"""How often a mail is tried that fails for a reason of its own."""
SERVER_PAUSE: Final = timedelta(minutes=1)
"""How long a mail waits whose server did not answer."""
SERVER_AWAY: Final = (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPHeloError,
    SMTPServerDisconnected,
)


class MailServerAway(Exception):
    """The mail server takes no mail now, whoever it is for."""


def send_due(*, now: datetime, seconds: float = float("inf")) -> int:
    """Send a batch of mails that are due, and begin none after so long; return how many were sent.

    Any number of processes may do so at once.
    """
    begun, sent = steady_clock.seconds(), 0
    waiting = Notification.objects.filter(state=NotificationState.WAITING, next_try_at__lte=now)
    preferences = NotificationPreference.objects.filter(
        user=OuterRef("recipient"), kind=OuterRef("kind")
    )
    waiting = waiting.annotate(preference=Subquery(preferences.values("is_wanted")))
    waiting = waiting.select_related("recipient")
    rows = list(waiting.order_by("next_try_at", "pk")[:BATCH])
    if not rows:
        return 0
    try:
        with get_connection() as connection:
            for row in rows:
                if steady_clock.seconds() - begun >= seconds:
                    break
                sent += _claim_and_send(row, connection, now)
    except MailServerAway:
        log.exception("the mail server is away; %s mails wait", len(rows) - sent)
    except (OSError, SMTPException):
        log.exception("the mail server does not answer; %s mails wait", len(rows) - sent)
    return sent


def _claim_and_send(row: Any, connection: Any, now: datetime) -> bool:
    """Send one mail and note it; if the process dies between the two, it is sent again."""
    if not claim(row, now):
        return False
    if row.tries >= MAX_TRIES:  # whoever had it died each time
        _update(row, state=NotificationState.QUARANTINED, error=row.error or "broken off")
        return False
    try:
        connection.send_messages([build_message(row, now)])
    except NotificationOmitted as omitted:
        _update(row, state=NotificationState.NOT_SENT, error=omitted.code)
        return False
    except (OperationalError, InterfaceError):  # the database does not answer
        raise
    except Exception as error:
        if _is_server_away(error):
            _update(row, tries=row.tries, next_try_at=now + SERVER_PAUSE)
            raise MailServerAway from error
        _note_failure(row, error, now)
        return False
    _update(row, state=NotificationState.SENT, sent_at=now, error="")
    return True


def build_message(row: Any, now: datetime) -> EmailMultiAlternatives:
    """Return the mail of a row of `send_due` in the language and time zone of its recipient."""
    if not is_wanted(row.kind, row.preference):  # since it was written
        raise NotificationOmitted("unwanted")
    recipient = row.recipient
    language, zone = choose_language(recipient), recipient.time_zone
    with translation.override(language), timezone.override(ZoneInfo(zone)):
        context = build_context(row, now)
    message = build_mail(
        f"notifications/{row.kind}",
        context,
        recipient=recipient.email,
        language=language,
        zone=zone,
    )
    message.extra_headers = {
        "List-Unsubscribe": f"<{context['unsubscribe_link']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return message


def _is_server_away(error: Exception) -> bool:
    """Return whether no other mail could be sent now either."""
    if isinstance(error, SMTPException):
        return isinstance(error, SERVER_AWAY)
    return isinstance(error, OSError)


def _note_failure(row: Notification, error: Exception, now: datetime) -> None:
    log.error("notification %s could not be sent, try %s", row.uuid, row.tries + 1, exc_info=error)
    _update(
        row,
        state=(
            NotificationState.QUARANTINED
            if row.tries + 1 >= MAX_TRIES
            else NotificationState.WAITING
        ),
        next_try_at=now + compute_pause(row.tries),
        error=f"{type(error).__name__}: {error}"[:1000],
    )


def _update(row: Notification, **fields: Any) -> None:
    Notification.objects.filter(pk=row.pk).update(updated_at=timezone.now(), **fields)
