"""The cast: everybody who may come to a door, and what they are to each other.

The instructor teaches the class that the learner and the other learner are in. The outsider
teaches another class, with nobody of the first in it. The stranger is in no class.
"""

from dataclasses import dataclass

import pytest
from django.test import Client

from accounts.models import Group, Membership, Role, User

PASSWORD = "a good long password"


@dataclass(frozen=True)
class Cast:
    learner: User
    other_learner: User
    instructor: User
    outsider: User
    administrator: User
    stranger: User
    group: Group
    other_group: Group


def person(name: str, **fields) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.title(), **fields)


@pytest.fixture
def cast(db) -> Cast:
    group, other_group = (Group.objects.create(name=n) for n in ("Class A", "Class B"))
    people = {
        name: person(name)
        for name in ("learner", "other_learner", "instructor", "outsider", "stranger")
    }
    administrator = person("administrator", is_superuser=True)
    for name, where, role in (
        ("learner", group, Role.LEARNER),
        ("other_learner", group, Role.LEARNER),
        ("instructor", group, Role.INSTRUCTOR),
        ("outsider", other_group, Role.INSTRUCTOR),
    ):
        Membership.objects.create(group=where, user=people[name], role=role)
    return Cast(administrator=administrator, group=group, other_group=other_group, **people)


def signed_in(user: User) -> Client:
    """A browser with this person signed in."""
    client = Client()
    client.force_login(user)
    return client
