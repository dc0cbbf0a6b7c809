"""A line of the log says when, what and who, and nobody writes a second one."""

import json
import logging
import uuid
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory
from structlog.contextvars import bound_contextvars

from config.log_format import LineFormatter, SecretFilter, create_json_formatter
from tests.users import Users, logged_in_client

FORMATTER = LineFormatter("{asctime} {levelname} {name} {message}", style="{")


def entry(message: str, *args: object, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("test", logging.WARNING, "test.py", 1, message, args, None)
    record.created = 1_800_000_000.25
    vars(record).update(extra)
    return record


def test_the_time_is_utc_and_says_so():
    assert FORMATTER.format(entry("x")) == "2027-01-15T08:00:00.250+00:00 WARNING test x"


@pytest.mark.parametrize("sign", ["\n", "\r", "\x1b", "\x00", "\x85", "\u2028"])
def test_what_somebody_typed_begins_no_line_of_its_own(sign):
    line = FORMATTER.format(entry("no page %s", f"a{sign}2027 CRITICAL forged"))
    assert sign not in line
    assert len(line.splitlines()) == 1


def test_the_lines_of_a_traceback_are_no_entries():
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int("a\n2027-01-15 CRITICAL forged")
    record = entry("failed", exc_info=(caught.type, caught.value, caught.tb))
    first, *others = FORMATTER.format(record).splitlines()
    assert first.endswith("failed")
    assert all(line.startswith("    ") for line in others)


def test_a_refused_request_says_whose_it_was(users: Users, caplog):
    client = logged_in_client(users.learner)
    client.get("/admin/audit/auditevent/", REMOTE_ADDR="192.0.2.7")
    Client().get("/nothing", REMOTE_ADDR="192.0.2.8")
    lines = [FORMATTER.format(record) for record in caplog.records if hasattr(record, "request")]
    assert any(
        line.endswith(f"auditevent/ user={users.learner.uuid} address=192.0.2.7") for line in lines
    ), lines
    assert any("Not Found: /nothing user=- address=192.0.2.8" in line for line in lines)


def test_a_line_costs_no_query(django_assert_num_queries, db):
    request = RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert FORMATTER.format(entry("x", request=request)).endswith("user=- address=127.0.0.1")


def test_an_entry_within_a_request_has_its_id():
    with bound_contextvars(request_id="abc"):
        assert FORMATTER.format(entry("x")).endswith("WARNING test x request_id=abc")


def write_json(record: logging.LogRecord) -> dict[str, object]:
    line = create_json_formatter().format(record)
    assert len(line.splitlines()) == 1
    content: dict[str, object] = json.loads(line)
    return content


def test_json_tells_what_a_line_tells():
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.9")
    with bound_contextvars(request_id="abc"):
        content = write_json(entry("no %s\n", "page", request=request, status=404))
    assert content == {
        "at": "2027-01-15T08:00:00.250+00:00",
        "level": "WARNING",
        "logger": "test",
        "event": "no page\n",
        "request_id": "abc",
        "status": 404,
        "user": "-",
        "address": "192.0.2.9",
    }


def test_json_tells_no_other_attribute_of_an_entry():
    assert "answer" not in write_json(entry("x", answer="secret"))


def raised(action) -> tuple[object, ...]:
    with pytest.raises((LookupError, IntegrityError)) as caught:
        action()
    return caught.type, caught.value, caught.tb


@pytest.mark.parametrize("format_entry", [FORMATTER.format, create_json_formatter().format])
def test_what_a_database_refuses_is_not_repeated(format_entry, db):
    """PostgreSQL names the whole row of a violated check, with each answer in it."""
    answer = uuid.uuid4().hex  # a text in the source would stand in the traceback

    def insert():
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("CREATE TEMPORARY TABLE typed (answer text, at text NOT NULL)")
                cursor.execute("INSERT INTO typed VALUES (%s, NULL)", [answer])
        except IntegrityError as error:
            raise LookupError("while saving") from error

    text = format_entry(entry("failed", exc_info=raised(insert)))
    assert answer not in text
    assert "while saving" in text
    assert "IntegrityError" in text


def test_a_made_up_refusal_of_a_database_keeps_its_first_line():
    def fail():
        raise IntegrityError("null value\nDETAIL:  Failing row contains (42, an\n\nanswer).")

    text = FORMATTER.format(entry("failed", exc_info=raised(fail)))
    assert text.endswith("IntegrityError: null value (…)")


@pytest.mark.parametrize("name", ["code", "key", "link", "token"])
def test_what_is_secret_in_a_path_is_left_out(name):
    match = SimpleNamespace(kwargs={name: "s3cr3t", "uuid": "plain"})
    request = SimpleNamespace(resolver_match=match)
    record = entry("%s: %s", "Not Found", "/x/plain/s3cr3t/", request=request)
    assert SecretFilter().filter(record)
    assert record.getMessage() == "Not Found: /x/plain/***/"
