"""Accounts as an administrator enters and changes them."""

from django.db import transaction

from accounts.access import check_administrator
from accounts.account_audit import record_address_change, record_school_id
from accounts.email_confirmation import sync_allauth_address
from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record


@transaction.atomic
def save_person(*, person: User, confirmed: bool, by: User) -> None:
    """Save an account and whether its address is confirmed; record address, school id and rights.

    Who has another time zone than before has chosen it. By an administrator, else: NotFound.
    """
    check_administrator(by)
    stored = User.objects.select_for_update().filter(pk=person.pk).first()
    if stored is not None and stored.time_zone != person.time_zone:
        person.time_zone_chosen = True
    person.confirmed_email = person.email if confirmed else ""
    person.save()
    sync_allauth_address(person)
    if stored is None:
        record(AuditCode.ACCOUNT_CREATED, about=person, by=by)
        return
    if stored.email != person.email:
        record_address_change(
            person, old=stored.email, old_confirmed=stored.is_confirmed, new=person.email
        )
    if stored.school_id != person.school_id:
        record_school_id(person, before=stored.school_id, after=person.school_id)
    before, after = _describe_rights(stored), _describe_rights(person)
    changed = [name for name in before if before[name] != after[name]]
    if changed:
        record(
            AuditCode.RIGHTS_CHANGED,
            about=person,
            by=by,
            before={name: before[name] for name in changed},
            after={name: after[name] for name in changed},
        )


def _describe_rights(person: User) -> dict[str, bool]:
    return {
        "is_active": person.is_active,
        "may_make_classes": person.may_make_classes,
        "is_superuser": person.is_superuser,
        "address_confirmed": person.is_confirmed,
    }
