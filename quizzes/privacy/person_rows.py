"""The rows of a table that name a person."""

from django.apps import apps
from django.db.models import Model, QuerySet

from accounts.models import User
from quizzes.privacy.personal_tables import PersonalTable


def list_rows(table: PersonalTable, person: User) -> QuerySet[Model]:
    """Return the rows of a table that name a person; by address, of who has confirmed theirs."""
    rows: QuerySet[Model] = apps.get_model(table.model)._base_manager.all()
    if not table.by_address:
        return rows.filter(**{table.field: person})
    return rows.filter(**{table.field: person.email}) if person.is_confirmed else rows.none()
