"""What must not be erased for now: a dispute, an appeal, an order of a court."""

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.access import check_administrator
from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.privacy.models import LegalHold


def list_holds(person: User) -> QuerySet[LegalHold]:
    """Return the holds on a person: their own, and those of the classes that they are in."""
    of_groups = Q(group__in=person.memberships.values("group_id"))
    return LegalHold.objects.filter(Q(person=person) | of_groups)


@transaction.atomic
def save_hold(*, hold: LegalHold, by: User) -> None:
    """Hold what is stored of a person or a class, or change why. Not an administrator: NotFound."""
    check_administrator(by)
    stored = LegalHold.objects.select_for_update().filter(pk=hold.pk).first()
    if stored is not None and _describe(stored) == _describe(hold):
        return
    hold.created_by = hold.created_by or by
    hold.save()
    _record(hold, before="" if stored is None else stored.reason, after=hold.reason, by=by)


@transaction.atomic
def end_hold(*, hold: LegalHold, by: User) -> None:
    """End a hold. Not an administrator: NotFound."""
    check_administrator(by)
    _record(hold, before=hold.reason, after="", by=by)
    hold.delete()


def _describe(hold: LegalHold) -> tuple[int | None, int | None, str]:
    return hold.person_id, hold.group_id, hold.reason


def _record(hold: LegalHold, *, before: str, after: str, by: User) -> None:
    record(
        AuditCode.LEGAL_HOLD_CHANGED,
        about=hold.person or hold.group,
        group=hold.group_id or None,
        by=by,
        before={"reason": before},
        after={"reason": after},
    )
