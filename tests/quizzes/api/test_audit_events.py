"""The audit log for programs: who keeps the cursor meets every event once, however late it came."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from quizzes.api.audit_events import BY_SEAL
from quizzes.audit import sealing
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import record
from quizzes.lib import clock
from tests.quizzes.api.programs import Program, program
from tests.quizzes.api.test_change_pages import open_transaction


@pytest.fixture
def reader(users) -> Program:
    return program(users.administrator, "audit")


def write(label: str, users: Any) -> None:
    record(AuditCode.GROUP_CHANGED, about=users.group, by=users.instructor, label=label)


def read(reader: Program, cursor: str | None = None) -> tuple[list[str], str | None]:
    """Read to the end in pages of two; return the labels and the last cursor."""
    labels: list[str] = []
    while True:
        query = {"cursor": cursor} if cursor else {}
        page = reader.get("audit-events", limit=2, code="group_changed", **query).json()
        labels += [event["subject"]["name"] for event in page["items"]]
        cursor = page["cursor"]
        if page["next"] is None:
            return labels, cursor


@pytest.mark.django_db
def test_an_event_is_listed_at_once_and_comes_once(users, reader):
    write("first", users)
    labels, cursor = read(reader)
    assert labels == ["first"]
    assert read(reader, cursor) == ([], cursor)
    write("second", users)
    labels, cursor = read(reader, cursor)
    assert labels == ["second"]
    assert read(reader, cursor) == ([], cursor)


@pytest.mark.django_db
def test_an_event_of_an_earlier_time_that_is_there_later_comes_once(users, reader):
    """That of an import of some minutes is committed with a time long gone."""
    write("now", users)
    labels, cursor = read(reader)
    AuditEvent.objects.create(
        code=AuditCode.GROUP_CHANGED,
        subject_label="of an hour ago",
        created_at=clock.now() - timedelta(hours=1),
    )
    assert labels == ["now"]
    labels, cursor = read(reader, cursor)
    assert labels == ["of an hour ago"]
    assert read(reader, cursor) == ([], cursor)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_event_whose_transaction_is_still_open_comes_once_when_it_is_there(users, reader):
    write("before", users)
    with open_transaction(lambda: write("late", users)):
        write("after", users)
        labels, cursor = read(reader)
        assert labels == ["before", "after"]
    labels, cursor = read(reader, cursor)
    assert labels == ["late"]
    assert read(reader, cursor) == ([], cursor)


@pytest.mark.django_db
def test_while_another_process_seals_nothing_is_listed_too_soon(users, reader, monkeypatch):
    write("first", users)
    with monkeypatch.context() as patched:
        patched.setattr(sealing, "try_advisory_lock", lambda _name: False)
        labels, cursor = read(reader)
        assert (labels, cursor) == ([], None)
    assert read(reader, cursor)[0] == ["first"]


@pytest.mark.django_db
def test_a_cursor_from_before_a_backup_was_brought_back_is_refused(users, reader):
    write("first", users)
    cursor = BY_SEAL.write([7, clock.now().isoformat(), users.group.uuid])
    refused = reader.get("audit-events", cursor=cursor)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["code"] == "cursor_ahead"


@pytest.mark.django_db
def test_a_time_within_an_event_is_written_as_all_times_are(users, reader):
    opened = datetime(2026, 11, 25, 16, tzinfo=timezone(timedelta(hours=1)))
    record(AuditCode.GROUP_CHANGED, about=users.group, by=users.instructor, after={"at": opened})
    (event,) = reader.get("audit-events", code="group_changed").json()["items"]
    assert event["after"] == {"at": "2026-11-25T15:00:00.000000Z"}
