"""Confirming and changing an e-mail address; removing it from accounts that never confirmed it."""

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.dispatch import Signal

from accounts.account_audit import (
    record_address_change,
    record_memberships_moved,
    record_password_change,
    record_school_id,
)
from accounts.models import ApiToken, Membership, Session, User
from accounts.second_factors import delete_second_factors
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record

address_moved = Signal()
"""What was filed under an address goes from `holder` to `owner`, two accounts, in one transaction.

Receivers move what is theirs, as nothing here knows of quizzes, and return how many rows.
"""


class AddressTaken(Exception):
    """Another account has this address, and its owner has confirmed it there."""


def confirm_for_operator(user: User) -> None:
    """Confirm the address of an account for the operator of the site, who knows whose it is."""
    user.confirmed_email = user.email
    user.save(update_fields=["confirmed_email"])
    _renumber_memberships(user)
    sync_allauth_address(user)


def sync_allauth_address(user: User) -> None:
    """Copy a user's address, and whether it is confirmed, to the table that allauth reads."""
    addresses = EmailAddress.objects.filter(user=user)
    if list(addresses.values_list("email", "verified")) != [(user.email, user.is_confirmed)]:
        addresses.delete()
        EmailAddress.objects.create(
            user=user, email=user.email, primary=True, verified=user.is_confirmed
        )


@transaction.atomic
def confirm_address(*, user: User, address: str) -> bool:
    """Confirm a user's address; return whether it is still theirs."""
    current = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if current.email != address:
        return False
    current.confirmed_email = address
    current.save(update_fields=["confirmed_email"])
    _renumber_memberships(current)
    record(AuditCode.ADDRESS_CONFIRMED, about=current)
    user.confirmed_email = address
    return True


def change_address(*, user: User, address: str) -> None:
    """Change a user's address to one that they have just confirmed; raises AddressTaken.

    An account that has it without having confirmed it loses it. What was filed under an address
    that the user had not confirmed is not theirs: it waits for its owner in an empty account.
    """
    try:
        with transaction.atomic():
            _change(user, address)
    except IntegrityError as taken:  # a moment ago, by somebody who confirmed it too
        raise AddressTaken from taken
    user.email = user.confirmed_email = address


def _change(user: User, address: str) -> None:
    # Both at once and in order: two people who exchange addresses must not wait for each other.
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    for person in rows.filter(Q(pk=user.pk) | Q(email=address)):
        if person.pk != user.pk:
            _release_address(person, to=user)
    current = User.objects.get(pk=user.pk)
    old, old_confirmed = current.email, current.is_confirmed
    User.objects.filter(pk=user.pk).update(email=address, confirmed_email=address)
    _renumber_memberships(user)
    current.email = current.confirmed_email = address
    record_address_change(current, old=old, old_confirmed=old_confirmed, new=address)
    if not old_confirmed:
        _leave_filed(current, old)
    sync_allauth_address(current)


def _leave_filed(holder: User, address: str) -> None:
    """Leave what was filed under an address in an empty account that has it, if anything was.

    Its owner comes there by a new password. Rights of the whole site are left to nobody.
    """
    school_id = _take_rights(holder)
    holder.save(update_fields=["school_id", "is_superuser", "may_make_classes"])
    with transaction.atomic():
        owner = User.objects.create_user(
            address, None, confirmed_email="", language=holder.language
        )
        record(AuditCode.ACCOUNT_CREATED, about=owner)
        sync_allauth_address(owner)
        if not _move_filed(holder, owner, school_id):
            transaction.set_rollback(True)


@transaction.atomic
def replace_account(*, user: User, password: str | None) -> User:
    """Create an empty account for the owner of an address that another account never confirmed.

    Without a password they sign in by another way.

    Raises AddressTaken if it is confirmed by now, or gone to somebody who confirmed it.
    """
    holder = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if holder.is_confirmed or holder.email != user.email:
        raise AddressTaken
    address, language = holder.email, holder.language
    school_id = _remove_address(holder)
    owner = User.objects.create_user(address, password, language=language)
    record(AuditCode.ACCOUNT_CREATED, about=owner)
    _move_filed(holder, owner, school_id)
    sync_allauth_address(owner)
    return owner


@transaction.atomic
def secure_account(*, user: User, password: str) -> None:
    """Set a password by mail, confirm the address, and end every other way into the account.

    Sessions, tokens, identities and second factors may be a stranger's. Raises AddressTaken if the
    address now belongs to somebody else.
    """
    if not confirm_address(user=user, address=user.email):
        raise AddressTaken
    user.set_password(password)
    user.save(update_fields=["password"])
    record_password_change(user)
    ended, _ = Session.objects.filter(user=user).delete()
    record(AuditCode.SESSIONS_ENDED, about=user, after={"sessions": ended})
    ApiToken.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    delete_second_factors(user)
    sync_allauth_address(user)


def _renumber_memberships(user: User) -> None:
    """Have the classes of a user list them as changed: their roles count from now on."""
    Membership.objects.filter(user=user).update(updated_at=Now())


def _release_address(holder: User, *, to: User) -> None:
    if holder.is_confirmed:
        raise AddressTaken
    school_id = _remove_address(holder)
    _move_filed(holder, to, school_id)


def _remove_address(holder: User) -> str:
    """Leave an account without its address; nobody can sign in there any more.

    Return its school id, which was filed under the address, and is free now.
    """
    old, school_id = holder.email, _take_rights(holder)
    holder.email, holder.confirmed_email = f"{holder.uuid}@removed.invalid", ""
    before = {"address": old, "confirmed": False}
    record(AuditCode.ADDRESS_CHANGED, about=holder, before=before, after={"address": ""})
    holder.is_active = False
    holder.set_unusable_password()
    holder.save()
    EmailAddress.objects.filter(user=holder).delete()
    SocialAccount.objects.filter(user=holder).delete()
    ApiToken.objects.filter(user=holder).delete()
    Session.objects.filter(user=holder).delete()
    return school_id


def _take_rights(holder: User) -> str:
    """Take rights of the whole site and the school id from an account; return that id.

    They were given to who has the address. It is for the caller to save.
    """
    school_id = holder.school_id
    if school_id:
        record_school_id(holder, before=school_id, after="")
    rights = [name for name in ("is_superuser", "may_make_classes") if getattr(holder, name)]
    if rights:
        record(
            AuditCode.RIGHTS_CHANGED,
            about=holder,
            before=dict.fromkeys(rights, True),
            after=dict.fromkeys(rights, False),
        )
    holder.school_id = ""
    holder.is_superuser = holder.may_make_classes = False
    return school_id


def _move_filed(holder: User, owner: User, school_id: str) -> bool:
    """Move what was filed under an address to its owner; return whether there was anything.

    Memberships, the school id, and what receivers of `address_moved` know of.
    """
    if school_id and not owner.school_id:
        record_school_id(owner, before="", after=school_id)
        owner.school_id = school_id
        owner.save(update_fields=["school_id"])
    waiting = Membership.objects.filter(user=holder)
    moving = waiting.exclude(group__in=owner.memberships.values("group_id"))
    record_memberships_moved(moving, owner)
    moved = moving.update(user=owner, updated_at=Now())
    waiting.delete()
    counts = [count for _, count in address_moved.send(User, holder=holder, owner=owner)]
    return bool(school_id or moved or any(counts))
