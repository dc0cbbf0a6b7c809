"""A session that a test leaves open does not keep its database from being dropped."""

import psycopg2
import pytest
from django.db import connection

from tests.leftover_sessions import end_leftover_sessions


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_session_that_was_left_open_is_ended_and_named():
    leftover = psycopg2.connect(**connection.get_connection_params())
    with leftover.cursor() as cursor:
        cursor.execute("SELECT 'left open'")
    with connection.cursor() as cursor:
        statements = end_leftover_sessions(cursor, connection.settings_dict["NAME"])
    assert "SELECT 'left open'" in statements
    with pytest.raises(psycopg2.OperationalError), leftover.cursor() as cursor:
        cursor.execute("SELECT 1")
    leftover.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
