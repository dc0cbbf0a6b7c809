"""What `check --deploy` and `doctor` say of the database."""

from typing import Any

from django.core.checks import CheckMessage, Warning  # noqa: A004  Django's name
from django.db import DatabaseError, connection

from quizzes.lib.database_roles import find_excess


def check_database_role(**_: Any) -> list[CheckMessage]:
    """Warn where the site's role owns its tables, or could change what is written once.

    A database that is away is told elsewhere.
    """
    try:
        tables = find_excess(connection)
    except DatabaseError:
        return []
    if not tables:
        return []
    return [
        Warning(
            f"The database's role of the site may do more than the site needs: it owns,"
            f" or may change or empty, {len(tables)} tables, such as {tables[0]}.",
            hint="Run `manage.py migrate` with OCHENTA_DATABASE_OWNER_URL, the address of another"
            " role, and give the site itself OCHENTA_DATABASE_URL alone (docs/operations.md).",
            id="config.W001",
        )
    ]
