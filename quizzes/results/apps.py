"""From attempts to results."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResultsConfig(AppConfig):
    """What attempts were worth, and what may be shown of it."""

    name = "quizzes.results"
    label = "results"
    verbose_name = _("Results")
