"""The rows of a table that name a person, and what else is theirs."""

from uuid import UUID

from django.apps import apps
from django.db.models import Model, Q, QuerySet

from accounts.models import User
from quizzes.attempts.models import Accommodation, Attempt, StandingAccommodation
from quizzes.audit.erasure import list_former_addresses
from quizzes.privacy.personal_tables import PersonalTable

NAMED_AFTER_PERSON = (Attempt, Accommodation, StandingAccommodation)
"""Whose rows have the person's name in theirs, in the logs."""


def list_rows(table: PersonalTable, person: User) -> QuerySet[Model]:
    """Return the rows of a table that name a person, or who they were as a guest (ADR 59).

    By address: of who has confirmed theirs.
    """
    rows: QuerySet[Model] = apps.get_model(table.model)._base_manager.all()
    if not table.by_address:
        names = Q(**{table.field: person}) | Q(**{f"{table.field}__in": person.guests.all()})
        return rows.filter(names)
    return rows.filter(**{table.field: person.email}) if person.is_confirmed else rows.none()


def list_identities(person: User) -> list[User]:
    """Return the person, and the guests whose results their account keeps."""
    return [person, *person.guests.order_by("pk")]


def list_subjects(person: User) -> list[UUID]:
    """Return the rows whose names in the log have the person's in them."""
    return [
        uuid
        for model in NAMED_AFTER_PERSON
        for uuid in model._base_manager.filter(learner=person).values_list("uuid", flat=True)
    ]


def list_addresses(person: User) -> set[str]:
    """Return the addresses that name this person and nobody else: confirmed ones, of before, too.

    One that another account has by now names that one.
    """
    addresses = list_former_addresses(person.uuid) | (
        {person.email} if person.is_confirmed else set()
    )
    others = User.objects.filter(email__in=addresses).exclude(pk=person.pk)
    return addresses - set(others.values_list("email", flat=True))
