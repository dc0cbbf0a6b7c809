"""The tables that each attempt writes have no index that another one makes needless."""

import pytest
from django.db import connection

HOT = (
    "attempts_attempt",
    "attempts_quizgrade",
    "attempts_response",
    "events_event",
    "results_grading",
    "results_itemresult",
    "results_manualgrade",
    "results_result",
)
COVERED = """
    SELECT needless.indexrelid::regclass::text
    FROM pg_index needless JOIN pg_index other USING (indrelid)
    WHERE needless.indrelid = ANY (%s::text[]::regclass[])
      AND needless.indexrelid <> other.indexrelid
      AND NOT needless.indisunique AND needless.indpred IS NULL AND other.indpred IS NULL
      AND other.indkey::text || ' ' LIKE needless.indkey::text || ' %%'
"""


@pytest.mark.postgres
@pytest.mark.django_db
def test_no_index_of_a_busy_table_is_the_beginning_of_another():
    with connection.cursor() as cursor:
        cursor.execute(COVERED, [list(HOT)])
        assert [name for (name,) in cursor.fetchall()] == []
        # It would be noticed: a foreign key whose column another index begins with.
        cursor.execute("CREATE INDEX doubled ON results_itemresult (grading_id)")
        cursor.execute(COVERED, [list(HOT)])
        assert cursor.fetchall() == [("doubled",)]
