"""From quizzes to attempts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AttemptsConfig(AppConfig):
    """Who may try, and what they answered."""

    name = "quizzes.attempts"
    label = "attempts"
    verbose_name = _("Attempts")
