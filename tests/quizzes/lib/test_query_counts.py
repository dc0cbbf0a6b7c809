"""What a test counts does not depend on the minute in which it runs."""

import pytest

from quizzes.lib import clock, steady_clock


@pytest.mark.django_db
def test_a_reading_of_the_clock_after_a_minute_is_not_counted(monkeypatch, counted):
    late = steady_clock.seconds() + 61
    monkeypatch.setattr(steady_clock, "seconds", lambda: late)
    with counted() as queries:
        clock.now()
    assert queries == []
