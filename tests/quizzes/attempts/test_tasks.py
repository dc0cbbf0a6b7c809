"""The periodic work on attempts."""

import pytest

from quizzes.attempts import tasks
from quizzes.attempts.models import State
from quizzes.lib import clock
from tests.content import quiz
from tests.taking import later, start


@pytest.mark.django_db
def test_the_task_ends_what_is_overdue_by_the_databases_clock(cast, questions, monkeypatch):
    attempt = start(quiz(cast, questions, time_limit=30), cast.learner)
    monkeypatch.setattr(clock, "now", lambda: later(minutes=30))
    assert tasks.sweep_expired() == 0
    monkeypatch.setattr(clock, "now", lambda: later(hours=1))
    assert tasks.sweep_expired() == 1
    attempt.refresh_from_db()
    assert attempt.state == State.SUBMITTED
