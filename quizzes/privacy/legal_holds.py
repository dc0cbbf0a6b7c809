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
    hold.created_by = hold.created_by or by
    hold.save()
    _record(hold, reason=hold.reason, by=by)


@transaction.atomic
def end_hold(*, hold: LegalHold, by: User) -> None:
    """End a hold. Not an administrator: NotFound."""
    check_administrator(by)
    _record(hold, reason="", by=by)
    hold.delete()


def _record(hold: LegalHold, *, reason: str, by: User) -> None:
    record(
        AuditCode.LEGAL_HOLD_CHANGED,
        about=hold.person or hold.group,
        group=hold.group_id or None,
        by=by,
        after={"reason": reason},
    )
