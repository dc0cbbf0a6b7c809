"""The one role map: every user, one by one, by filter and by predicate."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts import access
from accounts.models import Membership, Role
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "taught", "joined", "rights"),
    [
        ("administrator", {"Class A", "Class B"}, set(), (True, True)),
        ("instructor", {"Class A"}, {"Class A"}, (True, False)),
        ("outsider", {"Class B"}, {"Class B"}, (True, False)),
        ("learner", set(), {"Class A"}, (False, False)),
        ("stranger", set(), set(), (False, False)),
        (None, set(), set(), (False, False)),
    ],
)
def test_every_person_in_their_place(users, who, taught, joined, rights):
    user = getattr(users, who) if who else AnonymousUser()
    assert {group.name for group in access.groups_taught(user)} == taught
    assert {group.name for group in access.groups_joined(user)} == joined
    assert (access.is_instructor(user), access.is_administrator(user)) == rights


@pytest.mark.parametrize("who", ["administrator", "instructor"])
def test_whoever_is_not_active_any_more_has_lost_every_right(users, who):
    user = getattr(users, who)
    user.is_active = False
    assert not access.groups_taught(user).exists()
    assert not access.is_instructor(user)
    assert not access.is_administrator(user)


def test_who_teaches_two_groups_finds_each_once(users):
    Membership.objects.create(group=users.other_group, user=users.instructor, role=Role.INSTRUCTOR)
    assert access.groups_taught(users.instructor).count() == 2


def test_learning_in_one_group_gives_no_right_there_to_who_teaches_another(users):
    Membership.objects.create(group=users.other_group, user=users.instructor, role=Role.LEARNER)
    assert {group.name for group in access.groups_taught(users.instructor)} == {"Class A"}
    assert access.groups_joined(users.instructor).count() == 2


def test_a_new_person_is_nobody_yet(db):
    assert not access.groups_taught(create_user("new")).exists()
