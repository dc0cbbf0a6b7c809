"""From quizzes to attempts."""

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _


class AttemptsConfig(AppConfig):
    """Who may try, and what they answered."""

    name = "quizzes.attempts"
    label = "attempts"
    verbose_name = _("Attempts")

    def ready(self) -> None:
        """Have accommodations go with the address that they were filed under."""
        import_string("quizzes.attempts.deadline_settings.connect_signals")()  # it needs the models
