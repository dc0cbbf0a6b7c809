"""Imports and exports of question banks."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImportsConfig(AppConfig):
    """Question banks as files."""

    name = "quizzes.imports"
    label = "imports"
    verbose_name = _("Files in and out")
