"""With whom a bank is shared, changed by its editors and recorded (ADR 29)."""

from uuid import UUID

from django.db import transaction

from accounts.access import is_instructor
from accounts.addresses import normalize
from accounts.models import Group, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import describe_person, record
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank, BankRight, BankShare
from quizzes.lib.errors import Invalid, NotFound

EVERYONE = "everyone"
"""With whom a bank is shared that names nobody, as the audit log stores it."""


def find_teacher(address: str) -> User:
    """Return who has this address and teaches; nobody: Invalid."""
    person = User.objects.filter(email=normalize(address)).first()
    if person is None or not is_instructor(person):
        raise Invalid("share_person_does_not_teach", where="email")
    return person


@transaction.atomic
def share(
    *,
    bank: Bank,
    right: BankRight,
    by: User,
    person: User | None = None,
    group: Group | None = None,
) -> BankShare:
    """Share a bank with a person, or the instructors of a class; with neither, all who teach.

    Shared before: the right is changed. No editor: NotFound. A person who does not teach, two at
    once, or editing for everyone: Invalid.
    """
    check_editor(by, bank)
    if person is not None and group is not None:
        raise Invalid("share_names_two")
    if person is not None and not is_instructor(person):
        raise Invalid("share_person_does_not_teach")
    if person is None and group is None and right != BankRight.USE:
        raise Invalid("share_editing_is_named")
    Bank.objects.select_for_update(no_key=True).get(pk=bank.pk)  # two at once make one share
    shares = BankShare.objects.select_for_update().filter(bank=bank, person=person, group=group)
    earlier = shares.first()
    before = None if earlier is None else _describe(earlier)
    if earlier is not None and earlier.right == right:
        return earlier
    bank_share = earlier or BankShare(bank=bank, person=person, group=group)
    bank_share.right = right
    bank_share.save()
    record(AuditCode.BANK_SHARED, about=bank, by=by, before=before, after=_describe(bank_share))
    return bank_share


@transaction.atomic
def stop_sharing(*, bank: Bank, share_id: UUID, by: User) -> None:
    """Take a share back; quizzes keep their questions. No editor, no such share: NotFound."""
    check_editor(by, bank)
    bank_share = BankShare.objects.select_for_update().filter(bank=bank, uuid=share_id).first()
    if bank_share is None:
        raise NotFound
    before = _describe(bank_share)
    bank_share.delete()
    record(AuditCode.BANK_UNSHARED, about=bank, by=by, before=before)


def _describe(bank_share: BankShare) -> dict[str, str]:
    """Return who is given what, for the audit log."""
    person, group = bank_share.person, bank_share.group
    if person is not None:
        audience = describe_person(person)
    else:
        audience = EVERYONE if group is None else str(group)
    return {"shared_with": audience, "right": str(bank_share.right)}
