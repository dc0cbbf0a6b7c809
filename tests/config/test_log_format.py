"""A line of the log says when, what and who, and nobody writes a second one."""

import logging

import pytest
from django.test import Client, RequestFactory

from config.log_format import LineFormatter
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
