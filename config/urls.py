"""Every address of the site, by door."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("healthz", health.alive),
    path("readyz", health.ready),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("quizzes.api.urls")),
    path("", include("quizzes.web.urls")),
]

handler400 = "quizzes.web.errors.bad_request"
handler403 = "quizzes.web.errors.forbidden"
handler404 = "quizzes.web.errors.not_found"
handler500 = "config.outage.server_error"
