"""What every test gets: a cast of people, quizzes to take, and clean memories."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import TransactionTestCase

from quizzes.bank import selectors as bank
from quizzes.lib import guards
from quizzes.publishing import selectors as publishing

pytest_plugins = ["tests.people", "tests.content"]


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    """Serve static files by their own names: a test needs no manifest."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Start with empty memories, so that query counts do not depend on the tests before."""
    yield
    for memory in (bank._papers, bank._secrets, publishing._editions):
        memory.clear()


_teardown = TransactionTestCase._fixture_teardown


def _teardown_without_guards(case: TransactionTestCase) -> None:
    """Empty the tables after a test with real transactions; the guards would refuse, on SQLite.

    The flush that follows ends with the signal that lays them anew.
    """
    if connection.vendor == "sqlite":
        guards.lift(connection)
    _teardown(case)


TransactionTestCase._fixture_teardown = _teardown_without_guards  # type: ignore[method-assign]  # only here
