"""In and out."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExchangeConfig(AppConfig):
    """Question banks as files."""

    name = "quizzes.exchange"
    label = "exchange"
    verbose_name = _("Files in and out")
