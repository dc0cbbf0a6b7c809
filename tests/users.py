"""Users for tests: one of each role, and what they are to each other.

The instructor teaches the class that the learner and the other learner are in. The outsider
teaches another class, with nobody of the first in it. The stranger is in no class.
"""

import time
from dataclasses import dataclass

import pytest
from django.test import Client

from accounts.models import Group, Membership, Role, User

PASSWORD = "a good long password"


@dataclass(frozen=True)
class Users:
    learner: User
    other_learner: User
    instructor: User
    outsider: User
    administrator: User
    stranger: User
    group: Group
    other_group: Group


def create_user(name: str, **fields) -> User:
    return User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.title(), **fields)


def build_user(name: str, **fields) -> User:
    """Return what `create_user` would store, unchecked: most tests pay for eight people."""
    address = f"{name}@example.org"
    user = User(email=address, confirmed_email=address, name=name.title(), **fields)
    user.set_password(PASSWORD)
    return user


@pytest.fixture
def users(db) -> Users:
    return create_users()


def create_users() -> Users:
    groups = [Group(name="Class A"), Group(name="Class B")]
    names = ("learner", "other_learner", "instructor", "outsider", "stranger")
    people = {name: build_user(name) for name in names}
    people["administrator"] = build_user("administrator", is_superuser=True)
    Group.objects.bulk_create(groups)
    User.objects.bulk_create(people.values())
    group, other_group = groups
    Membership.objects.bulk_create(
        Membership(group=where, user=people[name], role=role)
        for name, where, role in (
            ("learner", group, Role.LEARNER),
            ("other_learner", group, Role.LEARNER),
            ("instructor", group, Role.INSTRUCTOR),
            ("outsider", other_group, Role.INSTRUCTOR),
        )
    )
    return Users(group=group, other_group=other_group, **people)


def logged_in_client(user: User) -> Client:
    """Return a browser in which this user has just signed in."""
    client = Client()
    client.force_login(user)
    authenticate_at(client, user, time.time())
    return client


def authenticate_at(client: Client, user: User, seconds: float) -> None:
    """Have this user signed in at a time, in seconds since 1970, as allauth notes it."""
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": seconds}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
