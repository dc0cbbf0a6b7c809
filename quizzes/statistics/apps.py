"""Measures of quizzes and questions, from attempts that are counted in the background."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StatisticsConfig(AppConfig):
    """Counted attempts, and the measures of quizzes and questions."""

    name = "quizzes.statistics"
    label = "statistics"
    verbose_name = _("Statistics")
