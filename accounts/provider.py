"""What allauth knows of signing in by OpenID Connect; it finds the class by this module's name."""

from typing import Any

from allauth.socialaccount.providers.openid_connect.provider import (
    OpenIDConnectProvider as AllauthProvider,
)
from django.urls import reverse

from accounts.openid_connect import OpenIdConnectAdapter


class OpenIdConnectProvider(AllauthProvider):
    """Has a code challenge with every request (PKCE), and our address to come back to."""

    pkce_enabled_default = True
    oauth2_adapter_class = OpenIdConnectAdapter

    def get_callback_url(self) -> str:
        """Return the path to come back to: each provider has its own."""
        return reverse("identity_callback", args=[self.app.provider_id])

    def get_scope(self) -> list[Any]:
        """Return what is asked for: never what a request says."""
        return [*self.get_default_scope(), *self.app.settings["scopes"]]


provider_classes = [OpenIdConnectProvider]
