"""From questions to quizzes."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PublishingConfig(AppConfig):
    """Quizzes: their drafts and their frozen quiz versions."""

    name = "quizzes.publishing"
    label = "publishing"
    verbose_name = _("Quizzes")
