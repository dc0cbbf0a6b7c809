"""Certificates: what learners show of attempts that pass."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CertificatesConfig(AppConfig):
    """Certificates of passes."""

    name = "quizzes.certificates"
    label = "certificates"
    verbose_name = _("Certificates")
