"""Signing in by an identity provider, and the ways to sign in that one's account has.

Every way to a provider begins with a form of ours. Its answer is a page that goes on by itself: a
redirect would be refused, as the policy of our pages sends forms nowhere else.
"""

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.utils import (
    get_next_redirect_url,
    passthrough_next_redirect_url,
    perform_login,
)
from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import identities, openid_connect
from accounts.account_audit import record_unknown_identity
from accounts.identities import IdentityRefused, IdentityTaken, LastSignInMethod, ProviderIdentity
from accounts.identity_providers import IdentityProvider
from accounts.identity_rules import proves_second_factor
from accounts.models import User
from accounts.openid_connect import (
    ProviderAnswer,
    ProviderUnavailable,
    SignInCancelled,
    SignInPurpose,
    SignInRejected,
)
from accounts.reauthentication import reauthentication_required
from accounts.selectors import PROVIDER_SECOND_FACTOR
from quizzes.lib.errors import NotFound
from quizzes.web.decorators import current_user, login_required_page, not_found_page


@not_found_page
@rate_limit(action="identity_provider")
@require_POST
def sign_in_by_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Go to a provider to sign in there."""
    provider = identities.find_provider(provider_id)
    return _send_to_provider(
        request, provider, SignInPurpose.SIGN_IN, get_next_redirect_url(request) or ""
    )


@login_required_page
@require_POST
@reauthentication_required()
def link_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Go to a provider to link who one is there."""
    return _send_to_provider(request, identities.find_provider(provider_id), SignInPurpose.LINK, "")


@login_required_page
@rate_limit(action="reauthenticate")
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_by_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Ask to sign in again at a provider; by POST, go there."""
    methods = get_adapter().get_reauthentication_methods(request.user)
    if request.path not in [method["url"] for method in methods]:
        raise NotFound
    provider = identities.find_provider(provider_id)
    if request.method == "POST":
        return _send_to_provider(
            request, provider, SignInPurpose.CONFIRM, get_next_redirect_url(request) or ""
        )
    context = {
        "provider": provider,
        "next": get_next_redirect_url(request) or "",
        "reauthentication_alternatives": [
            {**method, "url": passthrough_next_redirect_url(request, method["url"], "next")}
            for method in methods
            if method["url"] != request.path
        ],
    }
    return render(request, "account/confirm_by_provider.html", context)


def _send_to_provider(
    request: HttpRequest, provider: IdentityProvider, purpose: SignInPurpose, next_url: str
) -> HttpResponse:
    try:
        url = openid_connect.build_authorization_url(
            request, provider, purpose=purpose, next_url=next_url
        )
    except ProviderUnavailable:
        return _render_failure(request, provider, "unavailable", status=503)
    context = {"provider": provider, "url": url}
    return render(request, "account/provider_redirect.html", context)


@not_found_page
@rate_limit(action="identity_provider_answer", limit_get=True)
@require_GET
def complete_sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Take the answer of a provider, and do what the person had gone there for."""
    provider = identities.find_provider(provider_id)
    try:
        answer = openid_connect.read_answer(request, provider)
    except SignInCancelled:
        return _render_failure(request, provider, "cancelled", status=403)
    except SignInRejected:
        record_unknown_identity()
        return _render_failure(request, provider, "rejected", status=403)
    identity = ProviderIdentity(provider, answer.claims)
    if answer.purpose is SignInPurpose.SIGN_IN:
        return _sign_in(request, identity, answer)
    if not request.user.is_authenticated or request.user.pk != answer.user_id:
        return _render_failure(request, provider, "rejected", status=403)
    if answer.purpose is SignInPurpose.LINK:
        return _link(request, request.user, identity)
    return _confirm(request, request.user, identity, answer)


def _sign_in(
    request: HttpRequest, identity: ProviderIdentity, answer: ProviderAnswer
) -> HttpResponse:
    try:
        user = identities.sign_in(identity)
    except IdentityRefused as refused:
        record_unknown_identity(refused.account)
        return _render_failure(request, identity.provider, refused.rule.value, status=403)
    if request.user.is_authenticated:
        get_adapter().logout(request)
    _record_sign_in(request, user, identity)
    response: HttpResponse = perform_login(request, user, redirect_url=answer.next_url or None)
    return response


def _link(request: HttpRequest, user: User, identity: ProviderIdentity) -> HttpResponse:
    try:
        identities.link(user=user, identity=identity)
    except IdentityTaken:
        return _render_failure(request, identity.provider, "taken", status=409)
    except NotFound:
        return redirect("account_email")
    text = gettext("You can sign in with %(provider)s now.")
    messages.success(request, text % {"provider": identity.provider.name})
    return redirect("sign_in_ways")


def _confirm(
    request: HttpRequest, user: User, identity: ProviderIdentity, answer: ProviderAnswer
) -> HttpResponse:
    """Go on with what the person was doing, if the provider has asked them anew who they are."""
    is_theirs = identities.has_identity(user, identity)
    if not is_theirs or not openid_connect.is_fresh(answer):
        record_unknown_identity(user)
        reason = "not_fresh" if is_theirs else "other_person"
        return _render_failure(request, identity.provider, reason, status=403)
    _record_sign_in(request, user, identity, reauthenticated=True)
    request.session.cycle_key()
    # As allauth reads it: where its own pages ask, `next` is in the form that answers.
    request.GET = QueryDict(urlencode({"next": answer.next_url}))
    resumed: HttpResponse | None = resume_request(request)
    return resumed or redirect("home")


def _record_sign_in(
    request: HttpRequest,
    user: User,
    identity: ProviderIdentity,
    *,
    reauthenticated: bool | None = None,
) -> None:
    """Note in the session how and when this person proved who they are."""
    noted = {
        "provider": identity.provider.id,
        "uid": identity.uid,
        "authenticated_at": openid_connect.read_auth_time(identity.claims),
        "reauthenticated": reauthenticated,
    }
    if proves_second_factor(identity.provider, identity.claims):
        noted[PROVIDER_SECOND_FACTOR] = str(user.uuid)
    record_authentication(request, user, "socialaccount", **noted)


def _render_failure(
    request: HttpRequest, provider: IdentityProvider, reason: str, *, status: int
) -> HttpResponse:
    context = {"provider": provider, "reason": reason}
    return render(request, "account/provider_failure.html", context, status=status)


@login_required_page
@require_http_methods(["GET", "HEAD"])
def sign_in_ways(request: HttpRequest) -> HttpResponse:
    """List the ways to sign in to one's account, and what can be done with each."""
    user = current_user(request)
    linked = {identity.provider: identity for identity in identities.list_identities(user)}
    providers = [
        {"provider": provider, "identity": linked.pop(provider.id, None)}
        for provider in settings.IDENTITY_PROVIDERS
    ]
    # Those that the site no longer has; they open nothing, and can be taken off.
    providers += [
        {"provider": {"id": identity.provider, "name": identity.provider}, "identity": identity}
        for identity in linked.values()
    ]
    return render(request, "quizzes/pages/sign_in_ways.html", {"providers": providers})


@login_required_page
@require_POST
@reauthentication_required()
def unlink_provider(request: HttpRequest, identity_id: int) -> HttpResponse:
    """Take an identity off one's account; never the last way to sign in."""
    try:
        identities.unlink(user=current_user(request), identity_id=identity_id)
    except LastSignInMethod:
        text = gettext("This is your only way to sign in. Set a password first.")
        messages.error(request, text)
    else:
        messages.success(request, gettext("It no longer signs in to your account."))
    return redirect("sign_in_ways")
