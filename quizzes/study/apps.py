"""Study: cards of banks and of one's own mistakes, scheduled by FSRS."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StudyConfig(AppConfig):
    """Cards that are studied, and the log of their reviews."""

    name = "quizzes.study"
    label = "study"
    verbose_name = _("Study")
