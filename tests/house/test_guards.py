"""The database itself holds a guard for every table that is written once."""

import pytest
from django.apps import apps
from django.db import connection

from quizzes.lib import guards

pytestmark = pytest.mark.django_db


def standing() -> set[str]:
    """The names of all triggers that are in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
            if connection.vendor == "postgresql"
            else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        )
        return {name for (name,) in cursor.fetchall()}


def test_migrating_lays_a_guard_against_what_every_such_table_refuses():
    wanted = {guards.trigger(table, event) for table, event in guards.refusals()}
    assert wanted
    assert standing() == wanted


def test_the_guards_can_be_lifted_for_a_test_and_laid_again():
    before = standing()
    guards.lift(connection)
    assert standing() == set()
    guards.lay(connection)
    guards.lay(connection)
    assert standing() == before


def test_the_signal_of_each_app_guards_the_tables_of_that_app_alone():
    guards.lift(connection)
    guards.after_migrate(apps.get_app_config("results"), using="default")
    assert {name.partition("_no_")[0] for name in standing()} == {
        "results_grading",
        "results_itemmark",
        "results_personmark",
    }
    guards.after_migrate(apps.get_app_config("accounts"), using="default")
    guards.lay(connection)
