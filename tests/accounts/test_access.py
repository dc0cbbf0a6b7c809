"""The one role map: the cast, one by one, by filter and by predicate."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts import access
from accounts.models import Membership, Role
from tests.people import person

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
def test_every_person_in_their_place(cast, who, taught, joined, rights):
    user = getattr(cast, who) if who else AnonymousUser()
    assert {group.name for group in access.groups_taught(user)} == taught
    assert {group.name for group in access.groups_joined(user)} == joined
    assert (access.is_instructor(user), access.is_administrator(user)) == rights


@pytest.mark.parametrize("who", ["administrator", "instructor"])
def test_whoever_is_not_active_any_more_has_lost_every_right(cast, who):
    user = getattr(cast, who)
    user.is_active = False
    assert not access.groups_taught(user).exists()
    assert not access.is_instructor(user)
    assert not access.is_administrator(user)


def test_who_teaches_two_groups_finds_each_once(cast):
    Membership.objects.create(group=cast.other_group, user=cast.instructor, role=Role.INSTRUCTOR)
    assert access.groups_taught(cast.instructor).count() == 2


def test_learning_in_one_group_gives_no_right_there_to_who_teaches_another(cast):
    Membership.objects.create(group=cast.other_group, user=cast.instructor, role=Role.LEARNER)
    assert {group.name for group in access.groups_taught(cast.instructor)} == {"Class A"}
    assert access.groups_joined(cast.instructor).count() == 2


def test_a_new_person_is_nobody_yet(db):
    assert not access.groups_taught(person("new")).exists()
