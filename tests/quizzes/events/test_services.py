"""The outbox: a fact is written with what it tells of, or not at all."""

from uuid import uuid4

import pytest
from django.db import transaction

from quizzes.events.models import Event
from quizzes.events.services import record
from quizzes.lib.errors import Refused
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def test_a_fact_is_appended_with_its_time():
    subject = uuid4()
    event = record(kind="attempt.started", subject=subject, data={"number": 1}, now=NOW)
    row = Event.objects.get()
    assert row == event
    assert (row.kind, row.subject, row.data, row.occurred_at) == (
        "attempt.started",
        subject,
        {"number": 1},
        NOW,
    )
    assert str(row) == f"attempt.started {subject}"


def test_a_fact_goes_with_the_transaction_that_made_it_true():
    def fail() -> None:
        with transaction.atomic():
            record(kind="attempt.started", subject=uuid4(), data={}, now=NOW)
            raise Refused

    with pytest.raises(Refused):
        fail()
    assert not Event.objects.exists()


def test_facts_come_in_the_order_of_their_writing():
    for number in range(3):
        record(kind=f"kind.{number}", subject=uuid4(), data={}, now=NOW)
    assert [row.kind for row in Event.objects.all()] == ["kind.0", "kind.1", "kind.2"]
