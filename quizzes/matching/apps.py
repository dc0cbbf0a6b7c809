"""Questions in two languages that are one."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchingConfig(AppConfig):
    """Which question is which in another language, and what persons decided of it."""

    name = "quizzes.matching"
    label = "matching"
    verbose_name = _("Language matches")
