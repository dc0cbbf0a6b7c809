"""What is stored of a person: exported, erased, kept for how long."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PrivacyConfig(AppConfig):
    """Exports, erasures and retention of what is stored of people."""

    name = "quizzes.privacy"
    label = "privacy"
    verbose_name = _("Privacy")
