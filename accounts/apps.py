"""People."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _

from accounts.checks import check_verification


class AccountsConfig(AppConfig):
    """Who people are; nothing of quizzes."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Have `check --deploy` look at the sign-up."""
        register(check_verification, Tags.security, deploy=True)
