"""Use cases of classes: making, renaming and archiving one; who is in it, and as what.

Each asks itself whether the person may: who teaches the class, or runs the site (ADR 32).
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.access import (
    can_make_class,
    check_administrator,
    groups_taught,
    is_administrator,
)
from accounts.account_audit import record_membership
from accounts.invitation_acceptance import UNENDED
from accounts.invitations import withdraw_from_class
from accounts.models import Group, Invitation, JoinCode, Membership, Role, Term, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused

MAX_NAME = 150
Named = TypeVar("Named", Group, Term)


@transaction.atomic
def create_class(*, name: str, by: User, term: Term | None = None) -> Group:
    """Make a class whose instructor is `by`, unless they run the site. Who may not: NotFound.

    That is who teaches a class, or may make their first (`User.may_make_classes`).
    No name, or a longer one than MAX_NAME: Invalid. Another class has it, or an identity provider
    gives roles in the class of this name and `by` does not run the site: Conflict.
    """
    if not can_make_class(by):
        raise NotFound
    group = _save(Group(name=_check_new_name(name, by), term=term))
    _record_change(group, by=by, after=_describe(group))
    if not is_administrator(by):
        membership = Membership.objects.create(group=group, user=by, role=Role.INSTRUCTOR)
        record_membership(membership, after=membership.role)
    return group


@transaction.atomic
def update_class(*, group: Group, name: str, term: Term | None, by: User) -> Group:
    """Give a class another name or term; errors as of `create_class`, archived: Refused."""
    locked = lock_class(group=group, by=by)
    before = _describe(locked)
    if name != locked.name:
        locked.name = _check_new_name(name, by)
    locked.term = term
    if before != _describe(locked):
        _save(locked)
        _record_change(locked, by=by, before=before, after=_describe(locked))
    return locked


@transaction.atomic
def save_term(*, term: Term, by: User) -> Term:
    """Save a term, which classes are listed by. Who does not run the site: NotFound.

    Another has its name: Conflict. It ends before it begins: Invalid.
    """
    check_administrator(by)
    if term.ends_on < term.begins_on:
        raise Invalid("ends_before_it_begins", where="ends_on")
    stored = Term.objects.select_for_update().filter(pk=term.pk).first()
    before, after = {} if stored is None else _describe_term(stored), _describe_term(term)
    if before != after:
        _save(term, conflict_code="term_name_taken")
        record(AuditCode.TERM_CHANGED, about=term, by=by, before=before, after=after)
    return term


@transaction.atomic
def archive_class(*, group: Group, by: User, now: datetime) -> Group:
    """Make a class read only: its quizzes are closed for it, its code and invitations end.

    Attempts that are open go on to their end. Archived already: as it is.
    """
    locked = lock_class(group=group, by=by, archived_too=True)
    if locked.archived_at is None:
        locked.archived_at = now
        locked.save(update_fields=["archived_at"])
        JoinCode.objects.filter(group=locked, ended_at=None).update(ended_at=now)
        withdraw_from_class(group=locked, by=by, now=now)
        _record_change(locked, by=by, before={"archived": False}, after={"archived": True})
    return locked


@transaction.atomic
def restore_class(*, group: Group, by: User) -> Group:
    """Take a class out of the archive: its quizzes are open for it again, as assigned."""
    locked = lock_class(group=group, by=by, archived_too=True)
    if locked.archived_at is not None:
        locked.archived_at = None
        locked.save(update_fields=["archived_at"])
        _record_change(locked, by=by, before={"archived": True}, after={"archived": False})
    return locked


@transaction.atomic
def change_roles(*, group: Group, people: Collection[UUID], role: Role, by: User) -> int:
    """Give people of a class another role, joined or invited; return how many have a new one.

    Nobody would teach it any more: Refused (class_needs_instructor).
    """
    locked = lock_class(group=group, by=by)
    changed = 0
    for membership in _list_memberships(locked, people).exclude(role=role):
        before, membership.role = membership.role, role
        membership.save(update_fields=["role", "updated_at"])
        record_membership(membership, before=before, after=role)
        changed += 1
    _check_instructors(locked)
    invited = Invitation.objects.filter(UNENDED, group=locked, uuid__in=people).exclude(role=role)
    invited_count = invited.update(role=role, updated_at=Now())
    if invited_count:
        _record_change(locked, by=by, after={"role": role, "invitations": invited_count})
    return changed + invited_count


@transaction.atomic
def remove_people(*, group: Group, people: Collection[UUID], by: User, now: datetime) -> int:
    """Take people out of a class, and back what invites them; return how many.

    Their attempts and results stay. Nobody would teach it any more: Refused.
    """
    locked = lock_class(group=group, by=by)
    memberships = list(_list_memberships(locked, people))
    invited = Invitation.objects.filter(UNENDED, group=locked, uuid__in=people)
    invited_emails = set(invited.values_list("email", flat=True))
    emails = invited_emails | {membership.user.email for membership in memberships}
    # Before they go: one of them may be who asks.
    withdraw_from_class(group=locked, by=by, now=now, emails=emails)
    for membership in memberships:
        record_membership(membership, before=membership.role)
    Membership.objects.filter(pk__in=[membership.pk for membership in memberships]).delete()
    _check_instructors(locked)
    return len(memberships) + len(invited_emails)


def lock_class(*, group: Group, by: User, archived_too: bool = False) -> Group:
    """Return the locked row of a class that this person teaches; else NotFound.

    One that is archived: Refused (class_archived).
    """
    if not groups_taught(by).filter(pk=group.pk).exists():
        raise NotFound
    locked: Group = Group.objects.select_for_update().get(pk=group.pk)
    if locked.archived_at is not None and not archived_too:
        raise Refused("class_archived")
    return locked


def _list_memberships(group: Group, people: Collection[UUID]) -> Any:
    memberships = Membership.objects.filter(group=group, user__uuid__in=people)
    return memberships.select_related("user", "group").order_by("pk")


def _check_instructors(group: Group) -> None:
    if not Membership.objects.filter(group=group, role=Role.INSTRUCTOR).exists():
        raise Refused("class_needs_instructor")


def is_name_reserved(name: str, *, by: User) -> bool:
    """Return whether only who runs the site may name a class so.

    An identity provider gives roles by the name of a class: whoever had a class of that name would
    be sent the people who are meant for another.
    """
    mapped = {
        role.class_name
        for provider in settings.IDENTITY_PROVIDERS
        for role in provider.classes.values()
    }
    return " ".join(name.split()) in mapped and not is_administrator(by)


def _check_new_name(name: str, by: User) -> str:
    if is_name_reserved(name, by=by):
        raise Conflict("class_name_reserved", where="name")
    return _check_name(name)


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or "\0" in name:
        raise Invalid("class_name_invalid", where="name")
    return name


def _save(row: Named, *, conflict_code: str = "class_name_taken") -> Named:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise Conflict(conflict_code, where="name") from error
    return row


def _describe_term(term: Term) -> dict[str, Any]:
    return {
        "name": term.name,
        "begins_on": term.begins_on.isoformat(),
        "ends_on": term.ends_on.isoformat(),
    }


def _describe(group: Group) -> dict[str, Any]:
    return {"name": group.name, "term": str(group.term or "")}


def _record_change(group: Group, *, by: User, **change: Any) -> None:
    record(AuditCode.GROUP_CHANGED, about=group, by=by, group=group.pk, **change)
