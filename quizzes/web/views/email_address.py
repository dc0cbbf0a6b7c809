"""One's e-mail address: whether it is confirmed, and another in its place.

A new address is kept nowhere until its owner has followed the link in a message: the link itself
says what is asked for. Until then the old one counts, for signing in, for roles and for mail.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import send_verification_email_for_user
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.account.views import ConfirmEmailView
from allauth.decorators import rate_limit
from django import forms
from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts import email_confirmation, login_throttle
from accounts.account_audit import record_failed_sign_in
from accounts.addresses import normalize
from accounts.models import User
from accounts.reauthentication import reauthentication_required
from quizzes.web.decorators import current_user, login_required_page

SALT = "accounts.address"
DAYS = 3
"""As long as the link in the message works; the message says so."""


class AddressForm(forms.Form):
    """Another address."""

    email = forms.EmailField(
        label=_("New address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_email(self) -> str:
        """Write it as it is kept; the one there is would be no change."""
        address = normalize(self.cleaned_data["email"])
        if address == self.user.email:
            raise ValidationError(_("This is your address already."))
        return address


@login_required_page
@rate_limit(action="manage_email")
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """Show the address and its state; send the confirmation again, or ask for another address."""
    user = current_user(request)
    if "action_send" in request.POST:
        email_confirmation.sync_allauth_address(user)
        if not user.is_confirmed:
            send_verification_email_for_user(request, user)
        return redirect("account_email")
    return _ask_for_other_address(request)


@reauthentication_required("POST")
def _ask_for_other_address(request: HttpRequest) -> HttpResponse:
    """Show the form, or send the link: a device left open is not enough to take an account."""
    user = current_user(request)
    form = AddressForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        _send_messages(request, user, form.cleaned_data["email"])
        return redirect("account_email")
    status = 422 if form.is_bound else 200
    return render(request, "account/email.html", {"form": form}, status=status)


def _send_messages(request: HttpRequest, user: User, new: str) -> None:
    """Send the link to the new address, and a notice to the old one if it is known to be theirs."""
    link = signing.dumps({"person": str(user.uuid), "old": user.email, "new": new}, salt=SALT)
    url = request.build_absolute_uri(reverse("change_address", args=[link]))
    mail = get_adapter().send_mail
    mail("account/email/address_change", new, {"url": url, "new": new})
    if user.is_confirmed:
        mail("account/email/address_notice", user.email, {"new": new})
    text = gettext(
        "We have sent a link to %(new)s. Until you follow it, your address stays %(old)s."
    )
    messages.info(request, text % {"new": new, "old": user.email})


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def change_address(request: HttpRequest, link: str) -> HttpResponse:
    """Change the address, once its owner confirms it on the page that the message links to."""
    user = current_user(request)
    new = _read_link(link, user)
    if new and request.method == "POST":
        try:
            email_confirmation.change_address(user=user, address=new)
        except email_confirmation.AddressTaken:
            context = {"new": new, "taken": True}
            return render(request, "account/address_change.html", context, status=409)
        messages.success(request, gettext("Your address is %(new)s now.") % {"new": new})
        return redirect("account_email")
    status = 200 if new else 404
    context = {"new": new, "taken": False}
    return render(request, "account/address_change.html", context, status=status)


def _read_link(link: str, user: User) -> str:
    """Return the address that a link asks for; "" if it is not for this person, or not any more."""
    try:
        payload = signing.loads(link, salt=SALT, max_age=DAYS * 24 * 3600)
    except signing.BadSignature:
        return ""
    mine = (payload["person"], payload["old"]) == (str(user.uuid), user.email)
    return str(payload["new"]) if mine else ""


class ConfirmAddressView(ConfirmEmailView):
    """Confirms the address of an account for those who have both, the message and the account.

    Somebody else may have made the account. The owner of the address, who alone gets the message,
    must not open it to them by following the link: so it asks for the password of the account
    wherever the browser is not signed in there.
    """

    def logout_other_user(self, confirmation: Any) -> None:
        """Keep the person who only opens the page signed in."""
        if self.request.method == "POST":
            super().logout_other_user(confirmation)

    def post(self, *args: Any, **kwargs: Any) -> Any:
        """Confirm, if the account is theirs."""
        try:
            self.object = self.get_object()
        except Http404:
            self.object = None
        if self.object is None or self._is_account_holder(self.object.email_address.user):
            return super().post(*args, **kwargs)
        return self.render_to_response(self.get_context_data(wrong=True), status=422)

    def get_context_data(self, **kwargs: Any) -> Any:
        """Add whether the password is needed."""
        account = self.object and self.object.email_address.user
        return super().get_context_data(
            asks_password=account and not self._is_signed_in_as(account),
            **{"wrong": False} | kwargs,
        )

    def _is_account_holder(self, account: User) -> bool:
        if self._is_signed_in_as(account):
            return True
        key = login_throttle.attempt_key(self.request, account.email)
        if not login_throttle.consume_attempt(key=key, now=timezone.now(), user=account):
            record_failed_sign_in(account.email, locked=True)
            return False
        right = account.check_password(self.request.POST.get("password", ""))
        if right:
            login_throttle.reset_attempts(key=key)
        else:
            record_failed_sign_in(account.email)
        return right

    def _is_signed_in_as(self, account: User) -> bool:
        """Return whether this browser is, or is about to be once the address is confirmed."""
        stage = LoginStageController.enter(self.request, EmailVerificationStage.key)
        waiting = stage.login.user if stage else None
        return account in (self.request.user, waiting)
