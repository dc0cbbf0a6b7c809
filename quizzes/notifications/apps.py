"""Notifications: mails to learners on what happened to their results and quizzes."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """Reads the outbox, and sends a mail for what a person has to know."""

    name = "quizzes.notifications"
    label = "notifications"
    verbose_name = _("Notifications")
