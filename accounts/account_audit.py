"""What is recorded of accounts, and told to their owners: one call each, beside the change."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from allauth.account.signals import login_code_rejected
from django.contrib.auth.signals import user_logged_out
from django.db.models import QuerySet

from accounts.addresses import normalize
from accounts.models import ApiToken, Group, Invitation, Membership, NoticeKind, User
from accounts.security_notices import queue_notice
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import RecordedChange, record, record_all, record_refusal


def record_sign_in(user: User, *, provider: str = "") -> None:
    """Record that a person has signed in, and by which identity provider, if by one."""
    record(
        AuditCode.SIGNED_IN,
        about=user,
        by=user,
        after={"provider": provider} if provider else None,
    )


def record_sign_out(*, user: User | None, **_signal: Any) -> None:
    """Record that a person has signed out; nobody was signed in: nothing."""
    if user is not None:
        record(AuditCode.SIGNED_OUT, about=user, by=user)


def record_failed_sign_in(login: str, *, locked: bool = False) -> None:
    """Record that signing in was refused; `locked`: without looking at the password.

    What was typed is not kept where it is no account's address: it may be a password.
    """
    user = User.objects.filter(email=normalize(login)).first()
    if locked:
        record_refusal(AuditCode.SIGN_IN_LOCKED, about=user, once=True)
    else:
        record_refusal(AuditCode.SIGN_IN_FAILED, about=user)


def record_unknown_identity(user: User | None = None) -> None:
    """Record that an identity provider signed in nobody; `user`: whose account was asked for."""
    record_refusal(AuditCode.SIGN_IN_FAILED, about=user)


def connect_signals() -> None:
    """Have sign-outs and wrong codes by mail recorded; called when the site starts."""
    user_logged_out.connect(record_sign_out, dispatch_uid="sign-outs")
    login_code_rejected.connect(_record_wrong_code, dispatch_uid="wrong codes")


def _record_wrong_code(*, user: User, **_signal: Any) -> None:
    record_failed_sign_in(user.email)


def record_password_change(user: User) -> None:
    """Record that a password was changed, and tell its owner."""
    record(AuditCode.PASSWORD_CHANGED, about=user)
    queue_notice(user=user, kind=NoticeKind.PASSWORD_CHANGED)


def record_second_factor_change(
    user: User, *, before: str, after: str, tokens: Sequence[str] = ()
) -> None:
    """Record that a second factor was added or removed, and tell its owner.

    `before` and `after` name it in a word, as "totp"; empty for none. `tokens` are the names of
    those that were made before there was any: the mail names them, as somebody who knew the
    password may have made one.
    """
    record(
        AuditCode.SECOND_FACTOR_CHANGED,
        about=user,
        before={"factor": before},
        after={"factor": after},
    )
    queue_notice(user=user, kind=NoticeKind.SECOND_FACTOR_CHANGED, tokens=", ".join(tokens))


def record_identity_change(user: User, *, before: str, after: str, is_new: bool = False) -> None:
    """Record that an identity was linked or taken off, and tell the owner of the account.

    The account `is_new` if it was made for the identity: there is nothing to tell.
    `before` and `after` are the ids of its provider; empty for none.
    """
    record(
        AuditCode.IDENTITY_LINKED if after else AuditCode.IDENTITY_UNLINKED,
        about=user,
        before={"provider": before} if before else None,
        after={"provider": after} if after else None,
    )
    if not is_new:
        queue_notice(user=user, kind=NoticeKind.IDENTITY_CHANGED)


def record_address_change(user: User, *, old: str, old_confirmed: bool, new: str) -> None:
    """Record that an address was changed, and tell the new one and the old one.

    Nothing is sent to an old address that was not confirmed: it may be a stranger's.
    """
    before = {"address": old, "confirmed": old_confirmed}
    record(AuditCode.ADDRESS_CHANGED, about=user, before=before, after={"address": new})
    recipients = (old, new) if old_confirmed else (new,)
    queue_notice(user=user, kind=NoticeKind.ADDRESS_CHANGED, recipients=recipients, new=new)


def record_membership(membership: Membership, *, before: str = "", after: str = "") -> None:
    """Record that a person came into a class, has another role there, or left; "": not in it."""
    code = AuditCode.MEMBERSHIP_CHANGED if before and after else AuditCode.MEMBERSHIP_ADDED
    record(
        code if after else AuditCode.MEMBERSHIP_REMOVED,
        about=membership.user,
        group=membership.group_id,
        before={"group": membership.group.name, "role": before} if before else None,
        after={"group": membership.group.name, "role": after} if after else None,
    )


def record_memberships_added(group: Group, memberships: Iterable[Membership]) -> None:
    """Record that people came into a class, together."""
    changes = [
        RecordedChange(membership.user, after={"group": group.name, "role": membership.role})
        for membership in memberships
    ]
    record_all(AuditCode.MEMBERSHIP_ADDED, changes, group=group.pk)


def record_school_id(user: User, *, before: str, after: str) -> None:
    """Record that a person has another school id: grades are filed under it elsewhere."""
    record(
        AuditCode.SCHOOL_ID_CHANGED,
        about=user,
        before={"school_id": before},
        after={"school_id": after},
    )


def record_school_ids(users: Iterable[User]) -> None:
    """Record that people who had no school id have one: grades are filed under it elsewhere."""
    changes = [
        RecordedChange(user, before={"school_id": ""}, after={"school_id": user.school_id})
        for user in users
    ]
    record_all(AuditCode.SCHOOL_ID_CHANGED, changes)


def record_invitation(
    code: AuditCode,
    invitation: Invitation,
    *,
    by: User,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    """Record that an invitation was made, sent again, accepted or withdrawn; never its token."""
    record(code, about=invitation, by=by, group=invitation.group_id, before=before, after=after)


def describe_invitation(invitation: Invitation) -> dict[str, object]:
    """Return what the log keeps of an invitation."""
    return {
        "group": invitation.group.name if invitation.group else "",
        "role": invitation.role,
        "expires_at": invitation.expires_at,
    }


def record_token(code: AuditCode, token: ApiToken) -> None:
    """Record that a token was made, revoked or used from a new address; never its text."""
    fields = {"scopes": token.scopes, "expires_at": token.expiry}
    is_over = code == AuditCode.TOKEN_REVOKED
    record(
        code,
        about=token,
        by=token.user,
        before=fields if is_over else None,
        after=None if is_over else fields,
    )


def record_memberships_moved(waiting: QuerySet[Membership], owner: User) -> None:
    """Record that memberships are now those of another account: its owner confirmed the address."""
    for membership in waiting.select_related("group", "user"):
        record_membership(membership, before=membership.role)
        moved = Membership(user=owner, group=membership.group)
        record_membership(moved, after=membership.role)
