"""Whoever comes to look finds their overdue attempts ended and graded."""

from datetime import timedelta

import pytest

from quizzes.attempts import services as attempts
from quizzes.attempts.models import State, SubmissionReason
from quizzes.results.services import finish_overdue
from tests.factories import NOW, create_quiz

pytestmark = pytest.mark.django_db


def test_what_is_overdue_or_waits_is_graded_and_nothing_else(users, questions):
    limited, endless = (
        create_quiz(users, questions, slug="limited", time_limit=30),
        create_quiz(users, questions, slug="endless"),
    )
    overdue = attempts.start(quiz=limited.uuid, learner=users.learner, now=NOW)
    waiting = attempts.start(quiz=endless.uuid, learner=users.learner, now=NOW)
    attempts.submit(attempt=waiting.uuid, learner=users.learner, now=NOW)
    going_on = attempts.start(quiz=endless.uuid, learner=users.learner, now=NOW)
    another = attempts.start(quiz=limited.uuid, learner=users.other_learner, now=NOW)
    finish_overdue(learner=users.learner, now=NOW + timedelta(hours=1))
    for row in (overdue, waiting, going_on, another):
        row.refresh_from_db()
    assert (overdue.state, overdue.submission_reason) == (State.GRADED, SubmissionReason.EXPIRED)
    assert (waiting.state, waiting.submission_reason) == (State.GRADED, SubmissionReason.SUBMITTED)
    assert (going_on.state, another.state) == (State.OPEN, State.OPEN)
