"""The periodic work on attempts."""

import pytest

from quizzes.attempts import tasks
from quizzes.attempts.models import State
from quizzes.lib import clock
from tests.attempt_helpers import later, start
from tests.factories import create_quiz


@pytest.mark.django_db
def test_the_task_ends_what_is_overdue_by_the_databases_clock(users, questions, monkeypatch):
    attempt = start(create_quiz(users, questions, time_limit=30), users.learner)
    monkeypatch.setattr(clock, "now", lambda: later(minutes=30))
    assert tasks.sweep_expired() == 0
    monkeypatch.setattr(clock, "now", lambda: later(hours=1))
    assert tasks.sweep_expired() == 1
    attempt.refresh_from_db()
    assert attempt.state == State.SUBMITTED
