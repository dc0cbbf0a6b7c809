"""Installs the triggers after every migration, and what SQLite lacks in every connection."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from quizzes.lib import fraction_check, triggers


class LibConfig(AppConfig):
    """The app of the lowest layer that uses Django."""

    name = "quizzes.lib"
    label = "lib"

    def ready(self) -> None:
        """Guard the tables whenever they may have been made or remade."""
        connection_created.connect(fraction_check.add_function, dispatch_uid="fractions")
        pre_migrate.connect(triggers.before_migrate, dispatch_uid="triggers")
        post_migrate.connect(triggers.after_migrate, dispatch_uid="triggers")
