"""People."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts.checks import check_staff_second_factor, check_verification


class AccountsConfig(AppConfig):
    """Who people are; nothing of quizzes."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Have `check --deploy` look at the sign-up; record second factors and wrong codes."""
        register(check_verification, Tags.security, deploy=True)
        register(check_staff_second_factor, Tags.security, deploy=True)
        import_string("accounts.account_audit.connect_signals")()  # they need the models
        import_string("accounts.second_factors.connect_signals")()
        import_string("accounts.remembered_sessions.connect_signals")()
