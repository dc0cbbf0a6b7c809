"""The database has the triggers that its models name."""

import pytest
from django.apps import apps
from django.db import connection

from quizzes.lib import triggers

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


def expected() -> set[str]:
    """The names of the triggers that this database can have: SQLite has no TRUNCATE."""
    return {
        trigger.name
        for trigger in triggers.list_triggers()
        if connection.vendor == "postgresql" or trigger.event != "TRUNCATE"
    }


def test_migrating_installs_a_trigger_for_each_denied_operation():
    assert expected()
    assert installed() == expected()


def test_triggers_can_be_dropped_for_a_test_and_installed_again():
    before = installed()
    triggers.drop_triggers(connection)
    assert installed() == set()
    triggers.install_triggers(connection)
    triggers.install_triggers(connection)
    assert installed() == before


def test_the_signal_of_each_app_installs_the_triggers_of_that_app_alone():
    triggers.drop_triggers(connection)
    triggers.after_migrate(apps.get_app_config("results"), using="default")
    of_results = triggers.list_triggers(apps.get_app_config("results"))
    assert installed() == {trigger.name for trigger in of_results} & expected()
    assert {trigger.table for trigger in of_results} == {
        *("results_grading", "results_gradingfailure", "results_itemresult"),
        *("results_manualgrade", "results_regraderule", "results_result"),
        *("results_checkpoint", "results_checkpointentry"),
        *("attempts_attempt", "attempts_quizgrade"),  # rules that need the tables of results
    }
    triggers.after_migrate(apps.get_app_config("accounts"), using="default")
    triggers.install_triggers(connection)


def test_on_sqlite_the_triggers_of_an_app_go_before_its_tables_are_rebuilt():
    before = installed()
    for app in apps.get_app_configs():
        triggers.before_migrate(app, using="default")
    assert installed() == (before if connection.vendor == "postgresql" else set())
    for app in apps.get_app_configs():
        triggers.after_migrate(app, using="default")
    assert installed() == before
