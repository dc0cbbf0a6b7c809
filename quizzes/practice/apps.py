"""Practice: questions that learners try without a grade."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PracticeConfig(AppConfig):
    """Questions that were practised, and the tries at them."""

    name = "quizzes.practice"
    label = "practice"
    verbose_name = _("Practice")
