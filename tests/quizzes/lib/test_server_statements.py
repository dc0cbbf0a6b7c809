"""What PostgreSQL prepares: once a connection, the same rows, and nothing behind a pooler."""

import pytest
from django.db import connection
from django.db.models import BigIntegerField, CharField
from django.test.utils import CaptureQueriesContext

from accounts.models import Membership, User
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.lib.statements import allow_long_statements

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.unpooled]


@pytest.fixture
def by_number():
    return PreparedQuery(lambda pk: User.objects.filter(pk=pk), BigIntegerField())


@pytest.fixture
def pooled(monkeypatch):
    settings = connection.settings_dict
    monkeypatch.setitem(settings, "DISABLE_SERVER_SIDE_CURSORS", value=True)


def list_prepared() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time, name")
        return [statement for (statement,) in cursor.fetchall()]


def test_a_query_is_prepared_once_and_counts_once(by_number, users):
    before = list_prepared()
    for person in (users.learner, users.instructor):
        with CaptureQueriesContext(connection) as queries:
            assert by_number.first(person.pk) == person
        assert [query["sql"][:22] for query in queries] == ['EXECUTE "accounts_user']
    (prepared,) = (text for text in list_prepared() if text not in before)
    assert "$1" in prepared
    assert "(bigint)" in prepared


def test_constants_stand_in_the_statement_and_values_do_not(users):
    query = PreparedQuery(
        lambda group, role: Membership.objects.filter(
            group=group, role=role, user__email__endswith="100%'s", user__is_active=True
        ),
        BigIntegerField(),
        CharField(),
    )
    assert query.all(users.group.pk, "it's 100%") == []
    (prepared,) = (text for text in list_prepared() if "100" in text)
    assert "it's" not in prepared


@pytest.mark.django_db(transaction=True)
def test_what_was_prepared_in_a_connection_that_is_gone_is_prepared_anew(by_number, users):
    assert by_number.first(users.learner.pk) == users.learner
    connection.close()
    assert by_number.first(users.learner.pk) == users.learner


def test_behind_a_pooler_nothing_is_prepared_or_set(by_number, users, pooled):
    before = list_prepared()
    with CaptureQueriesContext(connection) as queries, allow_long_statements():
        assert by_number.first(users.learner.pk) == users.learner
    assert [query["sql"][:6] for query in queries] == ["SELECT"]
    assert list_prepared() == before
