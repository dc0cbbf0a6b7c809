"""A job may ask for statements without a limit, and the limit is back afterwards."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection

from quizzes.lib.statements import allow_long_statements

LIMIT = "SELECT current_setting('statement_timeout')"


def limit() -> str:
    with connection.cursor() as cursor:
        cursor.execute(LIMIT)
        (setting,) = cursor.fetchone()
    return str(setting)


@pytest.fixture
def limited(transactional_db):
    """A connection with a limit of its own, as those of the web have."""
    connection.close()
    options = connection.settings_dict["OPTIONS"]
    before = options["options"]
    options["options"] = f"{before} -c statement_timeout=100"
    yield
    options["options"] = before
    connection.close()


@pytest.mark.unpooled
@pytest.mark.postgres
def test_within_the_block_a_statement_may_take_longer(limited):
    with allow_long_statements(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_sleep(0.3)")
        assert cursor.fetchall() == [(1,)]
    assert limit() == "100ms"
    with pytest.raises(OperationalError, match="statement timeout"), connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")


@pytest.mark.unpooled
@pytest.mark.postgres
def test_the_limit_is_back_after_an_error_too(limited):
    with pytest.raises(LookupError), allow_long_statements():
        raise LookupError
    assert limit() == "100ms"


@pytest.mark.unpooled
@pytest.mark.postgres
def test_a_connection_that_broke_in_the_block_hides_no_error(limited):
    def work():
        with allow_long_statements():
            connection.connection.close()
            raise LookupError

    with pytest.raises(LookupError):
        work()
    connection.close()


def test_elsewhere_it_sends_nothing(monkeypatch):
    monkeypatch.setattr("quizzes.lib.statements.connection", SimpleNamespace(vendor="sqlite"))
    with allow_long_statements():
        pass


def test_behind_a_pooler_of_transactions_it_changes_no_connection_of_others(monkeypatch):
    pooled = SimpleNamespace(
        vendor="postgresql", settings_dict={"DISABLE_SERVER_SIDE_CURSORS": True}
    )
    monkeypatch.setattr("quizzes.lib.statements.connection", pooled)
    with allow_long_statements():
        pass
