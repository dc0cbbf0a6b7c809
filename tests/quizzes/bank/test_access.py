"""Whom a bank reaches: every user, one by one; its editors, and those it is shared with."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import Membership, Role
from quizzes.bank import access
from quizzes.bank.models import Bank, BankRight, BankShare
from quizzes.lib.errors import NotFound
from tests.users import Users

pytestmark = pytest.mark.django_db

OWN, OTHERS, PRIVATE, EVERYONE, NAMED = "own", "others", "private", "everyone", "named"


@pytest.fixture
def banks(users: Users) -> dict[str, Bank]:
    """A bank of each class, one of nobody, one shared with all, one with the outsider to edit."""
    groups = {OWN: users.group, OTHERS: users.other_group}
    banks = {
        slug: Bank.objects.create(slug=slug, group=groups.get(slug))
        for slug in (OWN, OTHERS, PRIVATE, EVERYONE, NAMED)
    }
    BankShare.objects.create(bank=banks[EVERYONE])
    BankShare.objects.create(bank=banks[NAMED], person=users.outsider, right=BankRight.EDIT)
    BankShare.objects.create(bank=banks[NAMED], person=users.learner, right=BankRight.EDIT)
    BankShare.objects.create(bank=banks[NAMED], group=users.group)
    return banks


@pytest.mark.parametrize(
    ("who", "reached", "edits"),
    [
        (
            "administrator",
            {OWN, OTHERS, PRIVATE, EVERYONE, NAMED},
            {OWN, OTHERS, PRIVATE, EVERYONE, NAMED},
        ),
        ("instructor", {OWN, EVERYONE, NAMED}, {OWN}),
        ("outsider", {OTHERS, EVERYONE, NAMED}, {OTHERS, NAMED}),
        ("learner", set(), set()),
        ("stranger", set(), set()),
        (None, set(), set()),
    ],
)
def test_editors_and_those_it_is_shared_with(users, banks, who, reached, edits):
    user = getattr(users, who) if who else AnonymousUser()
    assert {bank.slug for bank in access.shared_with(user)} == reached
    assert {bank.slug for bank in access.editable_by(user)} == edits
    assert {slug for slug, bank in banks.items() if access.may_edit(user, bank)} == edits


def test_an_owner_edits_as_long_as_they_teach(users, banks):
    Bank.objects.filter(slug=PRIVATE).update(owner=users.instructor)
    assert access.may_edit(users.instructor, banks[PRIVATE])
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    assert not access.may_edit(users.instructor, banks[PRIVATE])


def test_a_right_waits_for_a_confirmed_address(users, banks):
    users.outsider.confirmed_email = ""
    users.outsider.save()
    assert not access.shared_with(users.outsider).exists()


def test_nobody_but_editors_passes_and_the_site_itself(users, banks):
    access.check_editor(users.instructor, banks[OWN])
    access.check_editor(None, banks[OTHERS])
    for bank in (OTHERS, EVERYONE, NAMED):
        with pytest.raises(NotFound):
            access.check_editor(users.instructor, banks[bank])
