"""The probes: alive while the process runs, ready while the database answers."""

import pytest
from django.db import OperationalError

from tests.users import logged_in_client


class Gone:
    def cursor(self):
        raise OperationalError("gone")


def test_a_process_without_a_database_lives_but_is_not_ready(client, monkeypatch):
    monkeypatch.setattr("config.health.connection", Gone())
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 503


@pytest.mark.django_db
def test_a_probe_asks_nothing_about_its_caller(users, counted):
    browser = logged_in_client(users.learner)
    with counted() as queries:
        assert browser.get("/healthz").status_code == 200
    assert queries == []
    with counted() as queries:
        assert browser.get("/readyz").content == b"ok"
    assert queries == ["SELECT 1"]
