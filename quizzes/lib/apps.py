"""Registers lookups, installs triggers and indexes after migrations, adds what SQLite lacks."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from quizzes.lib import array_lookup, fraction_check, search_indexes, triggers


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
        post_migrate.connect(search_indexes.after_migrate, dispatch_uid="search indexes")
