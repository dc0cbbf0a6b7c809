"""The main job without a door: start, save, submit, grade, report."""

from fractions import Fraction
from uuid import uuid4

import pytest

from quizzes.attempts import services as attempts
from quizzes.attempts.models import State
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import load_attempt_view
from quizzes.results import services
from quizzes.results.selectors import load_report
from tests.factories import NOW, option_ids

pytestmark = pytest.mark.django_db


def answer(attempt, learner, slot, question, *letters, now=NOW, base=None):
    return save_responses(
        attempt=attempt.uuid,
        learner=learner,
        inputs=[
            ResponseInput(
                slot=slot,
                raw={"chosen": option_ids(question, *letters)},
                idempotency_key=uuid4(),
                base_revision=base,
            )
        ],
        language="en",
        now=now,
    )[0]


def test_an_attempt_goes_from_start_to_a_report_with_exact_marks(users, a_quiz, questions):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    answer(attempt, users.learner, 0, questions[0], "a", "b")
    answer(attempt, users.learner, 1, questions[1], "b")
    assert load_attempt_view(attempt=attempt.uuid, learner=users.learner).answered == 2
    services.finish(attempt=attempt.uuid, learner=users.learner, now=NOW)
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert report.summary.state == State.GRADED
    assert report.summary.score is not None
    assert report.summary.score.total == Fraction(5, 3)
    assert report.summary.score.percent == "55.55"
    assert [item.outcome for item in report.questions] == [
        "partially_correct",
        "correct",
        "unanswered",
    ]
    assert report.questions[0].feedback.keys() == set(option_ids(questions[0], "a", "b"))
    assert report.questions[0].solution is None
    assert not report.summary.score.passed
