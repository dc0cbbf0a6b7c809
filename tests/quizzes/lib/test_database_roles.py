"""The rights of the application's role change while the site runs: it is never without."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection

from quizzes.lib.database_roles import Role, grant_privileges, list_privileges, prepare_role

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def role() -> Iterator[Role]:
    role = Role(f"site_{uuid4().hex}")
    prepare_role(connection, role)
    yield role
    with connection.cursor() as cursor:
        cursor.execute(f"DROP OWNED BY {role.name}")
        cursor.execute(f"DROP ROLE {role.name}")


def test_what_is_granted_anew_was_taken_in_the_same_transaction(role):
    grant_privileges(connection, role)
    alone, revoked = [], 0

    def watch(execute, query, params, many, context):
        nonlocal revoked
        text = query.as_string(connection.connection) if hasattr(query, "as_string") else query
        revoked += text.startswith("REVOKE ALL")
        if text.startswith(("REVOKE ALL", "GRANT SELECT")) and not connection.in_atomic_block:
            alone.append(text)
        return execute(query, params, many, context)

    with connection.execute_wrapper(watch):
        grant_privileges(connection, role)
    assert revoked > len(list_privileges()) / 2
    assert alone == []
