"""Banks of questions."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BankConfig(AppConfig):
    """Questions: their drafts, their frozen versions, and the keys kept apart."""

    name = "quizzes.bank"
    label = "bank"
    verbose_name = _("Question banks")
