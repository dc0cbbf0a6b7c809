"""Installs the immutability triggers after every migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from quizzes.lib import immutability_triggers


class LibConfig(AppConfig):
    """The app of the lowest layer that uses Django."""

    name = "quizzes.lib"
    label = "lib"

    def ready(self) -> None:
        """Guard the tables whenever they may have been made or remade."""
        post_migrate.connect(
            immutability_triggers.after_migrate, dispatch_uid="immutability_triggers"
        )
