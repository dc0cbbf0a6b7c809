"""Every address of the site, by door."""

from django.contrib import admin
from django.urls import include, path, re_path

from config import health
from quizzes.api.problems import unknown_route

urlpatterns = [
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("quizzes.api.urls")),
    re_path(r"^api/", unknown_route),  # a program is answered as programs are, whatever it asks
    path("", include("quizzes.web.urls")),
]

handler400 = "quizzes.web.errors.bad_request"
handler403 = "quizzes.web.errors.forbidden"
handler404 = "quizzes.web.errors.not_found"
handler500 = "config.outage.server_error"
