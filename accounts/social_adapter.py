"""Where allauth asks for our rules on identity providers: which there are, how to ask them."""

from typing import Any
from urllib.parse import urlsplit

import requests
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.http import HttpRequest

from accounts.identity_providers import LOOPBACK

TIMEOUT = 5
"""Seconds for each answer of a provider: one that hangs must not hold a thread for ever."""


class ProviderSession(requests.Session):
    """Asks a provider; over https but on this machine, and no further than the address named."""

    def request(self, method: Any, url: Any, *args: Any, **kwargs: Any) -> requests.Response:
        """Send a request. RequestException for plain http, and for an answer that redirects."""
        parts = urlsplit(str(url))
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise requests.exceptions.InvalidURL("an address of the provider is not https")
        kwargs |= {"allow_redirects": False, "timeout": TIMEOUT}
        response = super().request(method, url, *args, **kwargs)
        if response.is_redirect:
            raise requests.exceptions.TooManyRedirects("the provider redirects")
        return response


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """Knows the providers of the settings alone: no row of a table makes one."""

    def list_apps(
        self,
        request: HttpRequest,  # noqa: ARG002  allauth's signature
        provider: Any = None,
        client_id: Any = None,
    ) -> list[SocialApp]:
        """Return the providers of the settings, as allauth's unsaved rows."""
        apps = [
            SocialApp(
                provider="openid_connect",
                provider_id=identity_provider.id,
                name=identity_provider.name,
                client_id=identity_provider.client_id,
                secret=identity_provider.secret,
                settings={
                    "server_url": identity_provider.issuer,
                    "scopes": identity_provider.scopes,
                },
            )
            for identity_provider in settings.IDENTITY_PROVIDERS
        ]
        return [
            app
            for app in apps
            if provider in (None, app.provider_id) and client_id in (None, app.client_id)
        ]

    def get_requests_session(self) -> requests.Session:
        """Return what providers are asked with."""
        return ProviderSession()

    def on_authentication_error(self, *_: Any, exception: Any = None, **__: Any) -> None:
        """Let our view answer, in place of allauth's page."""
        raise OAuth2Error from exception
