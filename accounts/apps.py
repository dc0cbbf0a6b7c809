"""People."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Who people are; nothing of quizzes."""

    name = "accounts"
    verbose_name = _("People")
