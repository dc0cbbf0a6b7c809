"""Every address of the site, by interface."""

from allauth.account.views import password_set
from allauth.mfa.webauthn.views import add_webauthn
from django.contrib import admin
from django.db import transaction
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts.reauthentication import reauthentication_required
from config import health
from config.metrics import export_metrics
from quizzes.api.problems import unknown_route
from quizzes.web.urls import attempt_urlpatterns, quiz_urlpatterns
from quizzes.web.views.email_address import ConfirmAddressView, address, change_address
from quizzes.web.views.identities import (
    complete_sign_in,
    confirm_by_provider,
    sign_in_by_provider,
)
from quizzes.web.views.invitation import accept_invitation
from quizzes.web.views.login_code import request_code_by_link
from quizzes.web.views.second_factor import second_factor

urlpatterns = [
    # Django tries one after the other: what a class asks for together stands in front.
    path("attempts/", include(attempt_urlpatterns)),
    path("quizzes/", include(quiz_urlpatterns)),
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("metrics", export_metrics, name="metrics"),
    path("admin/", admin.site.urls),
    # Before allauth's own: its pages would take a link for a person.
    path("accounts/email/", address, name="account_email"),
    path("accounts/email/<str:link>/", change_address, name="change_address"),
    re_path(
        r"^accounts/confirm-email/(?P<key>[-:\w]+)/$",
        ConfirmAddressView.as_view(),
        name="account_confirm_email",
    ),
    # allauth writes a passkey outside of any transaction; its record goes with it.
    path("accounts/2fa/webauthn/add/", transaction.atomic(add_webauthn), name="mfa_add_webauthn"),
    path(
        "accounts/2fa/webauthn/",
        RedirectView.as_view(pattern_name="mfa_index"),
        name="mfa_list_webauthn",
    ),
    path("accounts/login/code/link/<str:link>/", request_code_by_link, name="request_code_by_link"),
    path("accounts/invitation/<slug:token>/", accept_invitation, name="accept_invitation"),
    path("accounts/provider/<slug:provider_id>/", sign_in_by_provider, name="sign_in_by_provider"),
    path(
        "accounts/provider/<slug:provider_id>/confirm/",
        confirm_by_provider,
        name="confirm_by_provider",
    ),
    path(
        "accounts/provider/<slug:provider_id>/callback/",
        complete_sign_in,
        name="identity_callback",
    ),
    # A first password is another way in: allauth asks nobody again who they are.
    path(
        "accounts/password/set/",
        reauthentication_required()(password_set),
        name="account_set_password",
    ),
    path("accounts/2fa/", second_factor, name="mfa_index"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("quizzes.api.urls")),
    re_path(r"^api/", unknown_route),  # a program is answered as programs are, whatever it asks
    path("", include("quizzes.web.urls")),
]

handler400 = "config.error_handlers.bad_request"
handler403 = "config.error_handlers.forbidden"
handler404 = "config.error_handlers.not_found"
handler500 = "config.error_handlers.server_error"
