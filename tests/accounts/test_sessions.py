"""One query brings the session, its person, and whether they teach."""

from accounts.access import is_instructor
from accounts.models import Membership, Role
from accounts.sessions import SessionStore
from tests.users import logged_in_client


def opened(user) -> SessionStore:
    store = SessionStore(logged_in_client(user).cookies["session"].value)
    store.load()
    return store


def test_a_session_brings_its_person_and_whether_they_teach(users, django_assert_num_queries):
    for user, teaches in (
        (users.instructor, True),
        (users.learner, False),
        (users.stranger, False),
    ):
        client = logged_in_client(user)
        store = SessionStore(client.cookies["session"].value)
        with django_assert_num_queries(1):
            store.load()
            assert store.owner is not None
            assert store.owner == user
            assert is_instructor(store.owner) is teaches


def test_whoever_loses_the_role_is_no_instructor_at_the_next_request(users):
    client = logged_in_client(users.instructor)
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    store = SessionStore(client.cookies["session"].value)
    store.load()
    assert store.owner is not None
    assert not is_instructor(store.owner)


def test_an_administrator_is_an_instructor_without_being_in_a_group(users):
    owner = opened(users.administrator).owner
    assert owner is not None
    assert is_instructor(owner)
