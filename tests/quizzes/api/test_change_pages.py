"""Lists by change: who keeps the cursor meets every change once, whenever it is committed."""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from django.db import connection, connections, transaction

from accounts.classes import change_roles
from accounts.email_confirmation import change_address, confirm_address, confirm_for_operator
from accounts.models import Group, Role, User
from accounts.services import add_to_group
from quizzes.api.change_pages import BY_CHANGE
from quizzes.attempts.models import Attempt
from quizzes.bank.models import Question
from quizzes.lib import clock
from quizzes.lib.change_numbers import read_horizon
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.factories import create_bank, create_question, create_quiz
from tests.invitations import create_invitation
from tests.quizzes.api.programs import Program, program, taken
from tests.users import create_user


class RolledBack(Exception):
    """The transaction of a writer is to be undone."""


def roll_back() -> None:
    raise RolledBack


class Writer:
    """A connection of its own with one transaction, which does what it is sent."""

    def __init__(self) -> None:
        self._calls: Queue[Callable[[], Any] | None] = Queue()
        self._returned: Queue[Any] = Queue()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with transaction.atomic():
                while call := self._calls.get(timeout=60):
                    self._returned.put(call())
        except RolledBack:
            pass
        finally:
            connections.close_all()

    def do(self, call: Callable[[], Any]) -> Any:
        self._calls.put(call)
        return self._returned.get(timeout=30)

    def end(self, last_call: Callable[[], Any] | None = None) -> None:
        self._calls.put(last_call)
        self._thread.join(30)
        assert not self._thread.is_alive()


@contextmanager
def open_transaction(call: Callable[[], Any]) -> Iterator[None]:
    """Do something on a connection of its own, and commit it after the block."""
    writer = Writer()
    writer.do(call)
    yield
    writer.end()


def update(attempt: str) -> int:
    return Attempt.objects.filter(uuid=attempt).update(updated_at=clock.now())


def read_all(reader: Program, cursor: str | None = None) -> tuple[list[str], dict[str, Any]]:
    """Read to the end in pages of two; give the ids and the last page."""
    ids: list[str] = []
    while True:
        page = reader.get("results", limit=2, **({"cursor": cursor} if cursor else {})).json()
        ids += [row["id"] for row in page["items"]]
        cursor = page["cursor"]
        if page["next"] is None:
            return ids, page


@pytest.fixture
def quiz(users: Any) -> Quiz:
    return create_quiz(users, [create_question(create_bank(users), "q0")], window_attempts=None)


def take(user: Any, quiz: Quiz) -> str:
    return str(taken(user, quiz, [])["id"])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_undone", [False, True])
def test_what_is_committed_late_is_met_once_and_nothing_twice(users, quiz, is_undone):
    first, second = take(users.learner, quiz), take(users.other_learner, quiz)
    reader = program(users.instructor)
    ids, page = read_all(reader)
    assert ids == [first, second]
    writer = Writer()
    writer.do(lambda: update(first))  # stays open
    update(second)  # is committed, with a higher number
    ids, while_open = read_all(reader, page["cursor"])
    assert (ids, while_open["cursor"]) == ([], page["cursor"])
    assert while_open["pending_since"] is not None
    writer.end(roll_back if is_undone else None)
    ids, after = read_all(reader, while_open["cursor"])
    assert ids == [*([] if is_undone else [first]), second]
    assert after["pending_since"] is None
    assert read_all(reader, after["cursor"])[0] == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_row_that_is_inserted_before_and_committed_after_another_is_met_once(users, quiz):
    other_quiz = create_quiz(users, list(Question.objects.all()), slug="other")
    reader = program(users.learner)
    earliest = take(users.learner, other_quiz)
    cursor = reader.get("attempts").json()["cursor"]
    writer = Writer()
    late = writer.do(lambda: start(quiz, users.learner, now=clock.now()))
    update(earliest)
    page = reader.get("attempts", cursor=cursor).json()
    assert (page["items"], page["cursor"]) == ([], cursor)
    writer.end()
    page = reader.get("attempts", cursor=cursor).json()
    assert [row["id"] for row in page["items"]] == [str(late.uuid), earliest]
    assert reader.get("attempts", cursor=page["cursor"]).json()["items"] == []


@dataclass(frozen=True)
class FollowedList:
    """A list of the API, who reads it, and how two rows of it are made."""

    path: str
    reader: Program
    make_late: Callable[[], Any]
    make_early: Callable[[], Any]


def follow_invitations(users: Any, quiz: Quiz) -> FollowedList:
    def build_call(teacher: Program, email: str, group: Any) -> Callable[[], Any]:
        return lambda: teacher.post("invitations", {"email": email, "class_id": str(group.uuid)})

    return FollowedList(
        "invitations",
        program(users.administrator),
        build_call(program(users.instructor), "late@example.org", users.group),
        build_call(program(users.outsider), "early@example.org", users.other_group),
    )


def follow_challenges(users: Any, quiz: Quiz) -> FollowedList:
    def build_call(learner: Any) -> Callable[[], Any]:
        path = f"attempts/{take(learner, quiz)}/questions/1/challenge"
        client = program(learner)
        return lambda: client.post(path, {"reason": "key", "comment": "The book says a."})

    late, early = build_call(users.learner), build_call(users.other_learner)
    return FollowedList("challenges", program(users.instructor), late, early)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("follow", [follow_invitations, follow_challenges])
def test_who_keeps_the_cursor_of_any_followed_list_meets_a_row_that_is_committed_late(
    users, quiz, follow
):
    followed = follow(users, quiz)
    writer = Writer()
    late = writer.do(followed.make_late).json()["id"]
    early = followed.make_early().json()["id"]
    page = followed.reader.get(followed.path).json()
    assert page["items"] == []
    assert page["pending_since"] is not None
    writer.end()
    page = followed.reader.get(
        followed.path, **({"cursor": page["cursor"]} if page["cursor"] else {})
    ).json()
    assert [row["id"] for row in page["items"]] == [late, early]


@pytest.fixture
def newcomers() -> list[User]:
    """Two people in no class; the later one in the order of ids first."""
    people = [create_user(name) for name in ("newcomer", "other_newcomer")]
    return sorted(people, key=lambda person: person.uuid, reverse=True)


def add(person: User, group: Group, role: Role = Role.LEARNER) -> None:
    add_to_group(user=person, group=group, role=role, by=None)


def read_people(reader: Program, path: str, cursor: str | None) -> tuple[list[str], Any]:
    page = reader.get(path, **({"cursor": cursor} if cursor else {})).json()
    rows = [row.get("learner", row) for row in page["items"]]
    return [row["email"] for row in rows], page["cursor"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["people", "gradebook"])
def test_who_joins_a_class_or_is_confirmed_later_comes_after_the_cursor(users, newcomers, path):
    reader, path = program(users.instructor), f"classes/{users.group.uuid}/{path}"
    high, low = newcomers
    add(high, users.group)
    emails, cursor = read_people(reader, path, None)
    assert emails[-1] == high.email
    add(low, users.group)
    emails, cursor = read_people(reader, path, cursor)
    assert emails == [low.email]
    add(low, users.group)  # as it is
    assert read_people(reader, path, cursor) == ([], cursor)
    User.objects.filter(pk=low.pk).update(confirmed_email="")
    for confirm in (
        lambda: confirm_address(user=low, address=low.email),
        lambda: confirm_for_operator(low),
        lambda: change_address(user=low, address=low.email),
    ):
        confirm()
        emails, cursor = read_people(reader, path, cursor)
        assert emails == [low.email]
    change_roles(group=users.group, people=[high.uuid], role=Role.ASSISTANT, by=users.instructor)
    emails, cursor = read_people(reader, path, cursor)
    assert emails == ([high.email] if path.endswith("people") else [])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["people", "gradebook"])
def test_who_is_added_to_a_class_by_a_slow_transaction_is_met(users, newcomers, path):
    reader, path = program(users.instructor), f"classes/{users.group.uuid}/{path}"
    late, early = newcomers
    _, cursor = read_people(reader, path, None)
    writer = Writer()
    writer.do(lambda: add(late, users.group))
    add(early, users.group)
    assert read_people(reader, path, cursor) == ([], cursor)
    writer.end()
    assert read_people(reader, path, cursor)[0] == [late.email, early.email]


@pytest.mark.django_db
def test_an_invitation_that_is_answered_moves_to_the_end_and_a_role_does_so_too(users):
    teacher = program(users.instructor)
    first, second = (
        create_invitation(users.group, f"{name}@example.org", by=users.instructor)
        for name in ("first", "second")
    )
    page = teacher.get("invitations").json()
    changed_at = first.updated_at
    change_roles(group=users.group, people=[first.uuid], role=Role.ASSISTANT, by=users.instructor)
    page = teacher.get("invitations", cursor=page["cursor"]).json()
    assert [row["id"] for row in page["items"]] == [str(first.uuid)]
    first.refresh_from_db()
    assert first.updated_at > changed_at
    assert teacher.delete(f"invitations/{second.uuid}").status_code == 204
    page = teacher.get("invitations", cursor=page["cursor"]).json()
    assert [(row["id"], row["state"]) for row in page["items"]] == [(str(second.uuid), "withdrawn")]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_changes_no_followed_row_holds_nothing_back(users, quiz):
    attempt = take(users.learner, quiz)
    with open_transaction(quiz.save):  # it writes, and does not end
        update(attempt)
        ids, page = read_all(program(users.instructor))
        assert (ids, page["pending_since"]) == ([attempt], None)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_savepoint_that_is_rolled_back_holds_nothing_back_and_what_follows_does(users, quiz):
    first, second = take(users.learner, quiz), take(users.other_learner, quiz)
    reader = program(users.instructor)
    cursor = read_all(reader)[1]["cursor"]

    def undo_an_update() -> None:
        try:
            with transaction.atomic():
                update(first)
                roll_back()
        except RolledBack:
            pass

    writer = Writer()
    writer.do(undo_an_update)
    update(second)
    ids, page = read_all(reader, cursor)
    assert (ids, page["pending_since"]) == ([second], None)
    writer.do(lambda: update(first))
    update(second)
    assert read_all(reader, page["cursor"])[0] == []
    writer.end()
    assert read_all(reader, page["cursor"])[0] == [first, second]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_lock_is_held_however_many_rows_a_transaction_changes(users, quiz):
    attempts = [take(users.learner, quiz) for _ in range(5)]
    with transaction.atomic(), connection.cursor() as cursor:
        for attempt in attempts:
            update(attempt)
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        )
        assert cursor.fetchone() == (1,)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_who_follows_while_many_write_meets_every_last_change_and_none_twice(users, quiz):
    attempts = [take(users.learner, quiz) for _ in range(6)]
    reader = program(users.instructor)
    cursor = read_all(reader)[1]["cursor"]
    chance = random.Random(7)
    pauses = [[chance.random() / 100 for _ in range(15)] for _ in range(3)]

    def write(own: list[str], pauses: list[float]) -> None:
        try:
            for pause in pauses:
                with transaction.atomic():
                    for attempt in own:
                        update(attempt)
                        time.sleep(pause)
        finally:
            connections.close_all()

    threads = [Thread(target=write, args=(attempts[n::3], pause)) for n, pause in enumerate(pauses)]
    for thread in threads:
        thread.start()
    seen: list[tuple[str, str]] = []
    is_writing = True
    while is_writing:
        is_writing = any(thread.is_alive() for thread in threads)
        page = reader.get("results", cursor=cursor, fields="id,updated_at").json()
        seen += [(row["id"], row["updated_at"]) for row in page["items"]]
        cursor = page["cursor"]
    assert len(seen) == len(set(seen)) > len(attempts)
    stored = reader.get("results", fields="id,updated_at").json()["items"]
    assert dict(seen) == {row["id"]: row["updated_at"] for row in stored}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_does_not_end_is_told_to_programs_and_operators(users, quiz, caplog):
    first, second = take(users.learner, quiz), take(users.other_learner, quiz)
    reader = program(users.instructor)
    cursor = read_all(reader)[1]["cursor"]
    with open_transaction(lambda: update(first)):
        Attempt.objects.filter(uuid=second).update(updated_at=clock.now() - timedelta(minutes=2))
        with caplog.at_level(logging.WARNING, logger="quizzes.api.change_pages"):
            _, page = read_all(reader, cursor)
    stored = Attempt.objects.get(uuid=second).updated_at
    assert page["pending_since"] == stored.isoformat(timespec="microseconds").replace("+00:00", "Z")
    assert "wait for a transaction that does not end" in caplog.text


@pytest.mark.django_db
def test_every_way_of_writing_moves_a_row_to_the_end(users, quiz):
    attempts = [Attempt.objects.get(uuid=take(users.learner, quiz)) for _ in range(3)]
    first = attempts[0]
    reader = program(users.instructor)
    changes: list[Callable[[], Any]] = [
        first.save,  # with the number that it had when it was read
        lambda: Attempt.objects.filter(pk=first.pk).update(updated_at=clock.now()),
        lambda: Attempt.objects.bulk_update([first], ["void_reason"]),
    ]
    for change in changes:
        ids, page = read_all(reader)
        for attempt in attempts[1:]:  # one statement for all takes its rows in any order
            Attempt.objects.filter(pk=attempt.pk).update(void_reason="")
        change()
        ids, page = read_all(reader, page["cursor"])
        assert ids == [str(attempt.uuid) for attempt in attempts[1:]] + [str(first.uuid)]
        assert page["pending_since"] is None


@pytest.mark.django_db
def test_a_cursor_from_before_the_database_was_brought_back_is_refused(users, quiz):
    take(users.learner, quiz)
    next_number = read_horizon().next_number
    reader = program(users.instructor)
    assert reader.get("results", cursor=BY_CHANGE.write([next_number - 1])).status_code == 200
    refused = reader.get("results", cursor=BY_CHANGE.write([next_number]))
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert (error["where"], error["code"]) == ("cursor", "cursor_ahead")
