"""What the tables let the code before this one write while it is deployed."""

import pytest
from django.db import connection

from accounts.models import User
from tests.users import create_user

pytestmark = pytest.mark.django_db


def test_the_code_before_can_still_make_people_while_a_new_one_is_deployed():
    user = create_user("kept")
    fresh = {"email": "old@example.org", "uuid": "0" * 32}
    unknown = {"id", "confirmed_email", "time_zone_chosen", "school_id"}
    names = [str(field.column) for field in User._meta.concrete_fields]
    columns = [name for name in names if name not in unknown]
    sources = ["%s" if column in fresh else column for column in columns]
    values = [fresh[column] for column in columns if column in fresh]
    copied = f"SELECT {', '.join(sources)} FROM accounts_user WHERE id = %s"  # noqa: S608  our own names
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO accounts_user ({', '.join(columns)}) {copied}", [*values, user.pk]
        )
    account = User.objects.get(email="old@example.org")
    assert (account.is_confirmed, account.time_zone_chosen) == (False, False)


def test_a_site_begins_without_accounts():
    assert not User.objects.exists()
