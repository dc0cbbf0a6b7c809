"""The database has a trigger for every table that is written once."""

import pytest
from django.apps import apps
from django.db import connection

from quizzes.lib import immutability_triggers

pytestmark = pytest.mark.django_db


def installed() -> set[str]:
    """The names of all triggers that are in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
            if connection.vendor == "postgresql"
            else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        )
        return {name for (name,) in cursor.fetchall()}


def test_migrating_installs_a_trigger_for_each_denied_operation():
    expected = {
        immutability_triggers.trigger_name(table, event)
        for table, event in immutability_triggers.denied_operations()
    }
    assert expected
    assert installed() == expected


def test_triggers_can_be_dropped_for_a_test_and_installed_again():
    before = installed()
    immutability_triggers.drop_triggers(connection)
    assert installed() == set()
    immutability_triggers.install_triggers(connection)
    immutability_triggers.install_triggers(connection)
    assert installed() == before


def test_the_signal_of_each_app_installs_the_triggers_of_that_app_alone():
    immutability_triggers.drop_triggers(connection)
    immutability_triggers.after_migrate(apps.get_app_config("results"), using="default")
    assert {name.partition("_no_")[0] for name in installed()} == {
        "results_grading",
        "results_itemresult",
        "results_manualgrade",
    }
    immutability_triggers.after_migrate(apps.get_app_config("accounts"), using="default")
    immutability_triggers.install_triggers(connection)
