"""What the migrations make of the people there are."""

from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection

from accounts.models import User
from tests.users import create_user

pytestmark = pytest.mark.django_db


def take_over(migration: str) -> None:
    import_module(f"accounts.migrations.{migration}").take_over(apps, None)


def with_address(name: str, *, verified: bool, primary: bool = True) -> User:
    user = create_user(name, confirmed_email="")
    EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=primary)
    return user


def test_whoever_signed_up_and_never_confirmed_is_not_confirmed():
    users = {
        "confirmed": with_address("confirmed", verified=True),
        "signed up": with_address("signed", verified=False),
        "made by the operator": create_user("made", confirmed_email=""),
        # What the page of addresses wrote for those whom the operator had made.
        "made, then listed": with_address("listed", verified=False, primary=False),
    }
    take_over("0004_confirmed_email")
    now = {name: User.objects.get(pk=user.pk).is_confirmed for name, user in users.items()}
    assert [name for name, confirmed in now.items() if not confirmed] == ["signed up"]
    assert not EmailAddress.objects.get(user=users["signed up"]).verified
    assert EmailAddress.objects.get(user=users["made, then listed"]).verified


def test_an_account_keeps_one_address():
    user = with_address("confirmed", verified=True)
    for number, verified in enumerate((True, False)):
        second = f"second{number}@example.org"
        EmailAddress.objects.create(user=user, email=second, verified=verified)
    take_over("0004_confirmed_email")
    assert [row.email for row in EmailAddress.objects.filter(user=user)] == [user.email]


def test_a_zone_other_than_utc_was_chosen():
    chosen = create_user("chosen", time_zone="Europe/Madrid")
    create_user("begun")
    take_over("0005_time_zone_chosen")
    assert list(User.objects.filter(time_zone_chosen=True)) == [chosen]


def test_the_code_before_can_still_make_people_while_a_new_one_is_deployed():
    user = create_user("kept")
    fresh = {"email": "old@example.org", "uuid": "0" * 32}
    unknown = {"id", "confirmed_email", "time_zone_chosen"}
    names = [str(field.column) for field in User._meta.concrete_fields]
    columns = [name for name in names if name not in unknown]
    sources = ["%s" if column in fresh else column for column in columns]
    values = [fresh[column] for column in columns if column in fresh]
    copied = f"SELECT {', '.join(sources)} FROM accounts_user WHERE id = %s"  # noqa: S608  our own names
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO accounts_user ({', '.join(columns)}) {copied}", [*values, user.pk]
        )
    made = User.objects.get(email="old@example.org")
    assert (made.is_confirmed, made.time_zone_chosen) == (False, False)
