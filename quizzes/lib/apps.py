"""Installs the immutability triggers after every migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

from quizzes.lib import triggers


class LibConfig(AppConfig):
    """The app of the lowest layer that uses Django."""

    name = "quizzes.lib"
    label = "lib"

    def ready(self) -> None:
        """Guard the tables whenever they may have been made or remade."""
        pre_migrate.connect(triggers.before_migrate, dispatch_uid="triggers")
        post_migrate.connect(triggers.after_migrate, dispatch_uid="triggers")
