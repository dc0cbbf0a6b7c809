"""Challenges: what learners say against a question of an attempt of theirs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengesConfig(AppConfig):
    """Challenges of questions, and the answers to them."""

    name = "quizzes.challenges"
    label = "challenges"
    verbose_name = _("Challenges")
