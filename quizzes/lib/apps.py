"""Registers lookups, installs triggers after migrations, and what SQLite lacks in connections."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from quizzes.lib import array_lookup, fraction_check, triggers


class LibConfig(AppConfig):
    """The app of the lowest layer that uses Django."""

    name = "quizzes.lib"
    label = "lib"

    def ready(self) -> None:
        """Register lookups; guard the tables whenever they may have been made or remade."""
        array_lookup.register_lookups()
        connection_created.connect(fraction_check.add_function, dispatch_uid="fractions")
        pre_migrate.connect(triggers.before_migrate, dispatch_uid="triggers")
        post_migrate.connect(triggers.after_migrate, dispatch_uid="triggers")
