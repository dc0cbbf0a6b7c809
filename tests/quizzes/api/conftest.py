"""What tests need that call the WSGI application themselves."""

import pytest
from django.db import connection


@pytest.fixture
def kept_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the test's connection and its transaction, as Django's own test client does."""
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
