"""`manage.py migrate`: Django's, and with two roles on PostgreSQL the application's rights."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from quizzes.lib.database_roles import RoleError, grant_privileges, prepare_role


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; as the owner of the tables, give the application's role what it needs."""
        role, connection = settings.DATABASE_APPLICATION_ROLE, connections[options["database"]]
        changes = not (options["plan"] or options["check_unapplied"])
        if role is None or not changes or connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        try:
            prepare_role(connection, role)
        except RoleError as error:
            raise CommandError(str(error)) from None
        super().handle(*args, **options)
        grant_privileges(connection, role)
