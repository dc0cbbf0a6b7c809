"""Writes that are prepared: the same rows and refusals as by the ORM, one statement each."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.db.backends.postgresql.psycopg_any import Jsonb
from django.db.models import BigIntegerField, QuerySet, UUIDField
from django.db.models.functions import Now
from psycopg2.extensions import Binary

from accounts.models import User
from quizzes.attempts.models import QuizGrade, State
from quizzes.events.models import Event
from quizzes.lib.prepared_query import PreparedUpdate
from quizzes.lib.prepared_writes import (
    PreparedInsert,
    PreparedRowUpdate,
    sent_together,
    write_array,
)

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 28, 12, tzinfo=UTC)
TEXTS = ["", 'it\'s 100 % \\ "quoted"', "¿Duero? 杜罗河 🏞", "$1 %s"]


def build_event(text: str = "answer", **fields) -> Event:
    data = {"text": text, "parts": [1, None, {"deep": True}]}
    return Event(kind="a.kind", subject=uuid4(), data=data, occurred_at=AT, **fields)


def list_values(event: Event) -> dict[str, object]:
    """Return what the database has of an event, but for its id and uuid."""
    values = Event.objects.filter(pk=event.pk).values().get()
    return {name: value for name, value in values.items() if name not in {"id", "uuid", "subject"}}


@pytest.mark.parametrize("text", TEXTS)
def test_an_inserted_row_is_the_one_that_the_orm_inserts(text):
    prepared = PreparedInsert(Event)
    for _ in range(2):
        ours, other = build_event(text, created_at=AT), build_event(text, created_at=AT)
        assert prepared.insert(ours) is ours
        other.save()
        assert list_values(ours) == list_values(other)
        assert not ours._state.adding
        assert ours == Event.objects.get(uuid=ours.uuid)


@pytest.mark.parametrize("count", [1, 2, 30])
def test_many_rows_are_inserted_in_order_by_one_statement(counted, count):
    prepared = PreparedInsert(Event)
    rows = [build_event(TEXTS[number % len(TEXTS)]) for number in range(count)]
    with counted() as queries:
        prepared.insert_all(rows)
    assert len(queries) == 1, queries
    stored = Event.objects.order_by("pk").values_list("uuid", "data")
    assert list(stored) == [(row.uuid, row.data) for row in rows]


def test_of_no_rows_nothing_is_sent(counted):
    with counted() as queries:
        PreparedInsert(Event).insert_all([])
    assert not queries


def test_a_second_row_of_one_kind_is_refused_as_always(users, a_quiz):
    prepared = PreparedInsert(QuizGrade)
    prepared.insert(QuizGrade(quiz=a_quiz, learner=users.learner))
    with pytest.raises(IntegrityError), transaction.atomic():
        prepared.insert(QuizGrade(quiz=a_quiz, learner=users.learner))
    with pytest.raises(IntegrityError), transaction.atomic():
        prepared.insert_all([QuizGrade(quiz=a_quiz, learner=users.learner)])


@pytest.mark.postgres
@pytest.mark.parametrize(
    "write", [PreparedInsert.insert, lambda *them: them[0].insert_all(them[1:])]
)
def test_a_text_that_is_too_long_is_refused_and_never_cut(write):
    event = build_event()
    event.kind = "k" * 51
    with pytest.raises(DataError), transaction.atomic():
        write(PreparedInsert(Event), event)
    assert not Event.objects.exists()


def test_only_the_columns_of_the_row_are_updated(users, counted):
    person, other = users.learner, users.other_learner
    email, person.name, person.email = person.email, "Ana", "unwritten@example.org"
    with counted() as queries:
        PreparedRowUpdate(User, "name").update(person)
    assert len(queries) == 1, queries
    person.refresh_from_db()
    assert (person.name, person.email) == ("Ana", email)
    other.refresh_from_db()
    assert other.name != "Ana"


def build_renaming(uuid: UUID, zone: int) -> tuple[QuerySet[User], dict[str, object]]:
    return User.objects.filter(uuid=uuid).exclude(pk=zone), {"name": "Ana", "last_login": Now()}


def test_an_update_says_how_many_rows_there_were(users):
    prepared = PreparedUpdate(build_renaming, UUIDField(), BigIntegerField())
    assert prepared.update(users.learner.uuid, users.learner.pk) == 0
    assert prepared.update(users.learner.uuid, users.other_learner.pk) == 1
    assert list(User.objects.filter(name="Ana")) == [users.learner]


def test_no_value_is_equal_to_a_missing_one(users):
    prepared = PreparedUpdate(
        lambda uuid: (User.objects.filter(uuid=uuid), {"name": "Ana"}), UUIDField()
    )
    assert prepared.update(None) == 0


def list_prepared() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements")
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.postgres
@pytest.mark.unpooled
def test_one_statement_is_prepared_for_any_number_of_rows():
    before, prepared = list_prepared(), PreparedInsert(Event)
    for count in (1, 3):
        prepared.insert_all([build_event() for _ in range(count)])
        prepared.insert(build_event())
    assert len(list_prepared() - before) == 2


# --- Arrays -----------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("sql_type", "values"),
    [
        ("text", [*TEXTS, "{a,b}", "NULL", " ", None, "a\nb\t\\"]),
        ("bigint", [0, -7, 2**40, None]),
        ("boolean", [True, False, None]),
        ("uuid", [UUID(int=5), None]),
        ("timestamptz", [AT, None]),
        ("jsonb", [Jsonb({"a": ['"', "\\", "{}"]}), Jsonb([]), None]),
        ("bytea", [Binary(b"\x00\\'\"\xff"), Binary(memoryview(b"")), None]),
    ],
)
def test_an_array_is_read_as_its_values(sql_type, values):
    marks = ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT %s::{sql_type}[] = ARRAY[{marks}]::{sql_type}[]",
            [write_array(values), *values],
        )
        assert cursor.fetchone() == (True,)


def test_a_choice_is_written_as_its_value():
    assert write_array([State.OPEN]) == '{"open"}'


@pytest.mark.parametrize("value", [1.5, b"bytes", ["nested"], object()])
def test_what_an_array_cannot_hold_is_refused(value):
    with pytest.raises(TypeError):
        write_array([value])


# --- Sent together ----------------------------------------------------------------------------


def test_writes_whose_answer_nobody_needs_are_sent_with_the_next(counted):
    insert, update = PreparedInsert(Event), PreparedRowUpdate(User, "name")
    first, second = build_event("1"), build_event("2")
    person = User.objects.create_user("a@example.org", name="Before")
    with counted() as queries, transaction.atomic(), sent_together():
        person.name = "After"
        update.update(person)
        insert.add(first)
        insert.insert_all([build_event("many"), build_event("more")])
        insert.insert(second)
    assert len(queries) == (1 if connection.vendor == "postgresql" else 4), queries
    assert second.pk == Event.objects.get(uuid=second.uuid).pk
    texts = [event.data["text"] for event in Event.objects.order_by("pk")]
    assert texts == ["1", "many", "more", "2"]
    assert User.objects.get().name == "After"


def test_another_statement_comes_after_those_before_it():
    insert = PreparedInsert(Event)
    with transaction.atomic(), sent_together():
        insert.add(build_event("1"))
        assert Event.objects.count() == 1
        insert.add(build_event("2"))
        assert Event.objects.count() == 2


def test_a_refusal_of_one_ends_the_transaction():
    insert = PreparedInsert(Event)
    twice = build_event("1")

    def insert_both() -> None:
        with transaction.atomic(), sent_together():
            insert.add(build_event("0"))
            insert.add(twice)
            insert.add(build_event("2", uuid=twice.uuid))

    with pytest.raises(IntegrityError):
        insert_both()
    assert not Event.objects.exists()


def test_what_waits_when_something_fails_is_not_sent():

    def fail_after_a_write() -> None:
        with transaction.atomic(), sent_together():
            PreparedInsert(Event).add(build_event())
            raise LookupError

    with pytest.raises(LookupError):
        fail_after_a_write()
    assert not Event.objects.exists()
    PreparedInsert(Event).add(build_event())
    assert Event.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_writes_are_sent_together_within_a_transaction_alone():
    with pytest.raises(transaction.TransactionManagementError), sent_together():
        pass


def test_a_row_is_inserted_unless_one_like_it_is_there(counted):
    insert, event = PreparedInsert(Event), build_event()
    with counted() as queries:
        assert insert.insert_unless_there(event)
        assert not insert.insert_unless_there(build_event(uuid=event.uuid))
    assert len(queries) == 2
    assert event == Event.objects.get()
