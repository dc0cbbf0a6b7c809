"""Where allauth asks for our rules."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as current
from django.contrib import messages
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"


class AccountAdapter(DefaultAccountAdapter):
    """Keeps addresses in lower case, so that one person is one row; outlives a dead mail server."""

    def clean_email(self, email: str) -> Any:
        """Lower the case before anything compares."""
        return super().clean_email(email.strip().lower())

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Say that a letter could not be sent: who signs up has an account by then."""
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            log.exception("a letter could not be sent: %s", template_prefix)
            vars(current.request)["undelivered"] = True
            said = _("The message could not be sent just now. Ask for it again later.")
            messages.warning(current.request, said)

    def add_message(self, request: Any, level: int, *args: Any, **kwargs: Any) -> None:
        """Leave out that a letter was sent if it was not."""
        template = kwargs.get("message_template") or (args or ("",))[0]
        if template == CONFIRMATION_SENT and vars(request).get("undelivered"):
            return
        super().add_message(request, level, *args, **kwargs)
