"""The audit log."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """Who did what, when and from where; written with the change that it tells of."""

    name = "quizzes.audit"
    label = "audit"
    verbose_name = _("Audit log")
