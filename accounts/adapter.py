"""Where allauth asks for our rules."""

import logging
from collections.abc import Sequence
from datetime import datetime
from smtplib import SMTPException
from typing import Any, ClassVar, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import (
    code_request_links,
    email_confirmation,
    login_throttle,
    reauthentication,
    zones,
)
from accounts.account_audit import (
    record_failed_sign_in,
    record_password_change,
    record_sign_in,
)
from accounts.addresses import normalize
from accounts.models import User
from accounts.services import update_browser_zone
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record

log = logging.getLogger(__name__)
ALLAUTH_SECOND_FACTOR_STAGE = "allauth.mfa.stages.AuthenticateStage"
LOGIN_CODE_MAIL = "account/email/login_code"
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"


class AccountAdapter(DefaultAccountAdapter):
    """Keeps addresses in one form, so that one person is one row; outlives a dead mail server.

    Counts sign-ins in the database (`login_throttle`), and keeps allauth's table of addresses equal
    to what the role map reads (`email_confirmation`).
    """

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": gettext_lazy(
            "Too many failed attempts. Wait a quarter of an hour, or sign in with a code by mail; "
            "in an exam, the instructor can unlock your account."
        ),
        "too_many_codes": gettext_lazy(
            "Too many codes were asked for from here. Follow the link in the newest message with a "
            "code, or wait a quarter of an hour."
        ),
    }

    _login_attempts: Sequence[tuple[str, datetime]] = ()
    """The keys under which an attempt was counted, and when."""

    def clean_email(self, email: str) -> Any:
        """Write the address in its one form before anything compares."""
        return super().clean_email(normalize(email))

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Ask the person to try again if the address was registered a moment before."""
        try:
            with transaction.atomic():
                created = super().save_user(request, user, form, commit)
                record(AuditCode.ACCOUNT_CREATED, about=created, by=created)
                return created
        except IntegrityError as duplicate:
            messages.error(request, _("That did not work just now. Please try again."))
            raise ImmediateHttpResponse(redirect("account_signup")) from duplicate

    def set_password(self, user: Any, password: str) -> None:
        """Write the password alone: the address may have changed hands meanwhile."""
        user.set_password(password)
        with transaction.atomic():
            user.save(update_fields=["password"])
            record_password_change(user)

    def reauthenticate(self, user: Any, password: str) -> bool:
        """Return whether the password is right; if so, the session goes on under a new key."""
        is_right = bool(super().reauthenticate(user, password))
        if is_right:
            current.request.session.cycle_key()
        return is_right

    def pre_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> Any:
        """Copy to allauth whether the address is confirmed."""
        email_confirmation.sync_allauth_address(user)
        return super().pre_login(request, user, **kwargs)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm the address in the role map too; refuse where it has changed meanwhile."""
        with transaction.atomic():
            user = cast("User", email_address.user)
            if not email_confirmation.confirm_address(user=user, address=email_address.email):
                return False
            return bool(super().confirm_email(request, email_address))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse one attempt too many before the password is checked, and record that."""
        try:
            self._count_attempt(request, **credentials)
        except ValidationError:
            record_failed_sign_in(str(credentials.get("email", "")), locked=True)
            raise

    def _count_attempt(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        login, now = str(credentials.get("email", "")), timezone.now()
        key = login_throttle.attempt_key(request, login)
        network_key = self._build_busy_network_key(request, login, now)
        user = User.objects.filter(email=normalize(login)).first()
        limit = login_throttle.MAX_ATTEMPTS_FROM_BUSY_NETWORK
        if network_key and not login_throttle.consume_attempt(
            key=network_key, now=now, user=user, limit=limit
        ):
            raise self.validation_error("too_many_login_attempts")
        if not login_throttle.consume_attempt(key=key, now=now, user=user):
            raise self.validation_error("too_many_login_attempts")
        self._login_attempts = [(counted, now) for counted in (key, network_key) if counted]

    def _build_busy_network_key(self, request: HttpRequest, login: str, now: datetime) -> str:
        """Return the key of attempts from a busy address; "": none, or the device is known."""
        network_address = self.get_client_ip(request)
        if login_throttle.is_known_device(request, login):
            return ""
        if not login_throttle.is_network_busy(network_address=network_address, now=now):
            return ""
        return login_throttle.account_from_network_key(network_address, login)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Record that the password was wrong, or that there is no such account."""
        super().authentication_failed(request, **credentials)
        login = str(credentials.get("email", ""))
        if not login_throttle.is_known_device(request, login):
            network_address = self.get_client_ip(request)
            login_throttle.count_failure_from(network_address=network_address, now=timezone.now())
        record_failed_sign_in(login)

    def _rollback_login_failed_rl_usage(self) -> None:
        """Remove the attempt from the count: the password was right."""
        super()._rollback_login_failed_rl_usage()
        for key, consumed_at in self._login_attempts:
            login_throttle.refund_attempt(key=key, consumed_at=consumed_at)

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Forget failed sign-ins after a new password was set by mail."""
        super()._delete_login_attempts_cached_email(request, **credentials)
        login_throttle.reset_attempts(
            key=login_throttle.account_key(str(credentials.get("email", "")))
        )

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> Any:
        """Know this device from now on, and the time where it is."""
        response = super().post_login(request, user, **kwargs)
        steps = get_authentication_records(request, user)
        providers = [step["provider"] for step in steps if step["method"] == "socialaccount"]
        record_sign_in(user, provider=providers[-1] if providers else "")
        if any(step["method"] == "code" for step in steps):
            login_throttle.forget_failures(user=user)  # whoever reads the mails is the owner
        login_throttle.remember_device(request, response, user)
        update_browser_zone(user=user, zone=zones.browser_zone(request))
        return response

    def is_reauthentication_required(self, **_: Any) -> bool:
        """Return whether to ask again who it is: not soon after they have signed in.

        Raises ReauthenticationRequired for who can be asked: by itself, allauth would let through
        who has neither a password nor a second factor, but an identity provider.
        """
        if reauthentication.is_recent(current.request):
            return False
        reauthentication.check_recent(current.request)
        return True

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to say again who one is: a second factor, else how one signs in."""
        return reauthentication.choose_methods(user, super().get_reauthentication_methods(user))

    def get_login_stages(self) -> list[str]:
        """Return the steps of signing in; a provider may have asked for a second factor already."""
        ours = "accounts.login_stages.SecondFactorStage"
        stages = super().get_login_stages()
        return [ours if stage == ALLAUTH_SECOND_FACTOR_STAGE else stage for stage in stages]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Warn that a message could not be sent: who signs up has an account by then."""
        urls = {"reset_url": reverse("account_reset_password")}
        if template_prefix == LOGIN_CODE_MAIL:
            link = code_request_links.make_link(email)
            urls["code_request_url"] = reverse("request_code_by_link", args=[link])
        urls = {name: current.request.build_absolute_uri(path) for name, path in urls.items()}
        try:
            super().send_mail(template_prefix, email, urls | context)
        except (OSError, SMTPException):
            log.exception("a letter could not be sent: %s", template_prefix)
            vars(current.request)["undelivered"] = True
            warning = _("The message could not be sent just now. Ask for it again later.")
            messages.warning(current.request, warning)

    def add_message(self, request: Any, level: int, *args: Any, **kwargs: Any) -> None:
        """Leave out that a letter was sent if it was not."""
        template = kwargs.get("message_template") or (args or ("",))[0]
        if template == CONFIRMATION_SENT and vars(request).get("undelivered"):
            return
        super().add_message(request, level, *args, **kwargs)
