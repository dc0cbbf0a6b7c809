"""Who sends a request: a program with a token, or a signed-in browser with a CSRF token."""

from datetime import datetime, timedelta

from django.db.models import OuterRef, Q
from django.utils.translation import gettext as _
from knox import auth as knox_auth
from knox.crypto import hash_token
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.access import second_factor_exists
from accounts.models import ApiToken, User
from accounts.services import note_token_address
from quizzes.lib import clock

LAST_USED_PRECISION = timedelta(minutes=1)


class TokenAuthentication(knox_auth.TokenAuthentication):
    """`Authorization: Bearer och_…`. One query finds token and person by the token's hash."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        """Return the person and the token; unknown, revoked or expired: 401."""
        now = clock.now()
        digest = hash_token(token.decode("ascii", errors="replace"))
        tokens = ApiToken.objects.select_related("user").filter(digest=digest)
        has_second_factor = second_factor_exists(OuterRef("user"))
        api_token = tokens.annotate(has_second_factor=has_second_factor).first()
        if api_token is None or not api_token.user.is_active:
            raise AuthenticationFailed(_("This token is not valid."), code="token_invalid")
        if api_token.expiry is None or api_token.expiry <= now:
            raise AuthenticationFailed(_("This token has expired."), code="token_expired")
        # None: whether the provider was given one, is looked up where it is asked.
        exists = vars(api_token)["has_second_factor"] or None
        api_token.user.has_second_factor = exists if api_token.second_factor_given else False
        note_token_address(token=api_token)
        _note_use(api_token, now)
        return api_token.user, api_token


def _note_use(token: ApiToken, now: datetime) -> None:
    """Write down when it was used, at most once a minute: other requests write nothing."""
    before = now - LAST_USED_PRECISION
    if token.last_used_at is not None and token.last_used_at > before:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=before)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


class SessionAuthentication(authentication.SessionAuthentication):
    """The signed-in person of this very site, with the CSRF check on every unsafe method."""

    def enforce_csrf(self, request: Request) -> None:
        """Refuse an unsafe request without this site's token, in the words of the request."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:  # its reason is English, and for developers
            sentence = _("Send the CSRF token of this site as X-CSRFToken, or use a token.")
            raise PermissionDenied(sentence) from error
