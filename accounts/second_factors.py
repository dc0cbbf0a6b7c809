"""Second factors: each change is recorded and told to its owner, whichever way it comes about.

Allauth has no function of ours between a page and its table, so signals of the table do it: they
run in the transaction of the change.
"""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Model, QuerySet
from django.db.models.signals import post_delete, post_save

from accounts.access import check_administrator, has_provider_second_factor
from accounts.account_audit import record_second_factor_change
from accounts.models import Session, User
from accounts.selectors import list_tokens
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record

RECOVERY_CODES = Authenticator.Type.RECOVERY_CODES


def connect_signals() -> None:
    """Have every change of a second factor recorded; called when the site starts."""
    post_save.connect(_record_addition, Authenticator, dispatch_uid="second factors")
    post_delete.connect(_record_removal, Authenticator, dispatch_uid="second factors")


def list_second_factors(user: User) -> QuerySet[Authenticator]:
    """Return the factors that signing in asks for: recovery codes alone are none."""
    factors: QuerySet[Authenticator] = Authenticator.objects.filter(user=user)
    return factors.exclude(type=RECOVERY_CODES).order_by("pk")


def check_may_add_factor(user: User) -> None:
    """Raise ValidationError for who has a second factor at a provider, and has not given it here.

    Else a stolen password would be enough to set up another one, and have the role that waits.
    """
    if not user.has_second_factor and has_provider_second_factor(user):
        raise get_adapter().validation_error("second_factor_elsewhere")


@transaction.atomic
def remove_second_factors(*, user: User, by: User) -> int:
    """Remove all second factors of a person who has lost them; return how many there were.

    By an administrator; anybody else: NotFound.
    """
    check_administrator(by)
    removed = list_second_factors(user).count()
    delete_second_factors(user)
    return removed


def delete_second_factors(user: User) -> None:
    """Delete the second factors of a person and the recovery codes; each is recorded and told."""
    for authenticator in Authenticator.objects.filter(user=user).order_by("-type"):
        authenticator.delete()


def _record_addition(instance: Authenticator, created: bool, **_: Any) -> None:
    """Record a new factor; the first recovery codes come with one and are not told apart."""
    if created and instance.type != RECOVERY_CODES:
        owner = instance.user
        is_first = list_second_factors(owner).count() == 1
        tokens = list_tokens(owner).filter(second_factor_given=False) if is_first else ()
        names = [token.name or token.token_key for token in tokens]
        record_second_factor_change(owner, before="", after=instance.type, tokens=names)
        if is_first:
            _end_other_sessions(owner)


def _end_other_sessions(user: User) -> None:
    """End the sessions that began with the password alone; the one that adds the factor stays."""
    here = context.request.session.session_key if context.request else None
    ended, _ = Session.objects.filter(user=user).exclude(session_key=here).delete()
    if ended:
        record(AuditCode.SESSIONS_ENDED, about=user, after={"sessions": ended})


def _record_removal(instance: Authenticator, origin: Model | QuerySet[Any], **_: Any) -> None:
    """Record that a factor is gone, or its recovery codes are others; not with the person."""
    if isinstance(origin, User) or getattr(origin, "model", None) is User:
        return
    if instance.type != RECOVERY_CODES:
        record_second_factor_change(instance.user, before=instance.type, after="")
    elif list_second_factors(instance.user).exists():
        record_second_factor_change(instance.user, before=instance.type, after=instance.type)
