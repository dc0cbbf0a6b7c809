"""A session that was just read is not read again; what changes it acts at once here."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import connection, transaction
from django.utils import timezone

from accounts import remembered_sessions
from accounts.access import is_instructor
from accounts.models import Membership, Role, Session, User
from accounts.remembered_sessions import forget_on_write, memory
from accounts.sessions import SessionStore
from tests.users import logged_in_client


@pytest.fixture(autouse=True)
def _remembering(settings) -> Iterator[None]:
    settings.SESSION_MEMORY_SECONDS = 4
    memory.clear()
    yield
    memory.clear()


def key_of(user) -> str:
    return logged_in_client(user).cookies["session"].value


def read(key: str | None) -> Any:
    """Read a session as a page of attempts does."""
    store = SessionStore(key)
    store.may_be_remembered = True
    store.get("anything")
    return store


def elsewhere(sql: str, *values) -> None:
    """Run a statement as another process would: nobody here is told."""
    wrappers = list(connection.execute_wrappers)
    connection.execute_wrappers[:] = [w for w in wrappers if w is not forget_on_write]
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
    finally:
        connection.execute_wrappers[:] = wrappers


def test_the_second_page_of_attempts_reads_no_session(users, django_assert_num_queries):
    key = key_of(users.learner)
    first = read(key)
    with django_assert_num_queries(0):
        second = read(key)
    assert second.owner == first.owner == users.learner
    assert second["_auth_user_id"] == str(users.learner.pk)
    assert dict(second.items()) == dict(first.items())


def test_only_pages_of_attempts_and_quizzes_ask_for_what_is_remembered(users):
    client = logged_in_client(users.learner)
    for path, expected in (("/attempts/", True), ("/quizzes/none/", True), ("/profile/", False)):
        session: Any = client.get(path).wsgi_request.session
        assert session.may_be_remembered is expected


def test_other_pages_read_the_session_each_time(users, django_assert_num_queries):
    key = key_of(users.learner)
    read(key)
    with django_assert_num_queries(1):
        assert SessionStore(key).get("_auth_user_id")


@pytest.mark.parametrize(
    "change",
    [
        lambda key, user: Session.objects.filter(session_key=key).delete(),
        lambda key, user: SessionStore(key).flush(),
        lambda key, user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda key, user: (user.set_password("another-long-one"), user.save()),
        lambda key, user: Membership.objects.filter(user=user).update(role=Role.LEARNER),
        lambda key, user: Membership.objects.filter(user=user).delete(),
    ],
    ids=["deleted", "signed out", "deactivated", "password", "role", "left the class"],
)
def test_what_this_process_changes_acts_at_once(users, change):
    user = users.instructor
    client = logged_in_client(user)
    key = client.cookies["session"].value
    assert is_instructor(read(key).owner)
    assert client.get("/attempts/").status_code == 200
    change(key, user)
    answer = client.get("/attempts/")
    assert answer.status_code == 302 or not is_instructor(read(key).owner)


def test_what_another_process_changes_is_seen_after_some_seconds(users, monkeypatch):
    key = key_of(users.learner)
    read(key)
    elsewhere("DELETE FROM accounts_session WHERE session_key = %s", key)
    assert read(key).owner == users.learner
    later = time.monotonic() + 4.1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert read(key).owner is None


def test_a_session_that_ends_meanwhile_is_over(users):
    key = key_of(users.learner)
    assert read(key).owner == users.learner
    remembered = memory.find(key)
    assert remembered is not None
    remembered.row.expire_date = timezone.now()
    elsewhere("UPDATE accounts_session SET expire_date = last_seen_at")
    assert read(key).owner is None


def test_nothing_of_one_person_reaches_another(users):
    people = [users.learner, users.other_learner, users.instructor, users.administrator]
    keys = {key_of(person): person for person in people}
    for _ in range(3):
        for key, person in keys.items():
            store = read(key)
            assert store.owner.pk == person.pk
            assert store["_auth_user_id"] == str(person.pk)
            store.owner.email = store.owner.name = "changed@by.this.request"
            store.owner.teaches = True
            store["planted"] = str(person.pk)
    for key, person in keys.items():
        store = read(key)
        assert (store.owner.email, store.owner.name) == (person.email, person.name)
        assert "planted" not in store
        assert not store.modified


def test_requests_at_once_get_each_their_own(users):
    keys = {key_of(person): person.pk for person in (users.learner, users.other_learner)}
    for key in keys:
        read(key)
    wrong: list[str] = []

    def look(key: str, person: int) -> None:
        wrong.extend(key for _ in range(200) if read(key).owner.pk != person)

    threads = [threading.Thread(target=look, args=pair) for pair in keys.items() for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_stranger_is_not_remembered(db):
    store = SessionStore()
    store["guest"] = 1
    store.create()
    read(store.session_key)
    assert memory.find(str(store.session_key)) is None


def test_writing_keeps_what_others_have_written(users):
    key = key_of(users.learner)
    read(key)
    other = SessionStore(key)
    other["theirs"] = "new"
    serialized = other.encode(dict(other.items()))
    elsewhere("UPDATE accounts_session SET session_data = %s", serialized)
    store = read(key)
    assert "theirs" not in store
    store["ours"] = "new"
    del store["_auth_user_backend"]
    store.save()
    newest = SessionStore(key)
    assert (newest["theirs"], newest["ours"]) == ("new", "new")
    assert "_auth_user_backend" not in newest


def test_writing_begins_no_session_that_was_ended_elsewhere(users):
    key = key_of(users.learner)
    read(key)
    elsewhere("DELETE FROM accounts_session")
    store = read(key)
    store["ours"] = "new"
    with pytest.raises(UpdateError):
        store.save()
    assert not Session.objects.exists()


def test_what_was_read_before_a_change_is_not_remembered_after_it(users):
    key = key_of(users.learner)
    generation = memory.generation
    row = Session.objects.select_related("user").get(pk=key)
    memory.clear()  # as a change by another thread does
    memory.remember(row, {}, generation)
    assert memory.find(key) is None


def test_the_memory_is_bounded(users, monkeypatch):
    monkeypatch.setattr(remembered_sessions, "SIZE", 2)
    keys = [key_of(person) for person in (users.learner, users.other_learner, users.stranger)]
    for key in keys:
        read(key)
    assert [memory.find(key) is not None for key in keys] == [False, True, True]


@pytest.mark.django_db(transaction=True)
def test_a_change_drops_again_what_was_read_before_its_commit(users):
    key = key_of(users.learner)
    with transaction.atomic():
        User.objects.filter(pk=users.learner.pk).update(name="New")
        generation = memory.generation
        row = Session.objects.select_related("user").get(pk=key)
        memory.remember(row, {}, generation)
        assert memory.find(key) is not None
    assert memory.find(key) is None
