"""What the doors learn of attempts, in how many queries."""

from datetime import timedelta
from fractions import Fraction
from uuid import uuid4

import pytest

from quizzes.attempts import services
from quizzes.attempts.models import Accommodation, Assignment
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.rules import AccommodationTerms, PreviousAttempt, Window
from quizzes.attempts.selectors import (
    load_attempt_view,
    load_open_attempts,
    load_start_inputs_by_quiz,
)
from quizzes.bank import selectors
from tests.factories import NOW, create_quiz, option_ids

pytestmark = pytest.mark.django_db


def test_entries_tell_windows_allowance_and_past_in_one_query(
    users, a_quiz, questions, django_assert_num_queries
):
    other = create_quiz(users, questions[:1], slug="other")
    opens, closes = NOW - timedelta(days=1), NOW + timedelta(days=1)
    Assignment.objects.filter(quiz=a_quiz).update(opens_at=opens, closes_at=closes)
    Accommodation.objects.create(
        quiz=a_quiz,
        learner=users.learner,
        time_percent=150,
        extra_attempts=2,
        closes_at=closes + timedelta(hours=1),
    )
    services.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    with django_assert_num_queries(1):
        inputs = load_start_inputs_by_quiz([a_quiz, other], users.learner)
    entry = inputs[a_quiz.pk]
    assert entry.windows == (Window(opens, closes),)
    assert entry.accommodation == AccommodationTerms(Fraction(3, 2), 2, closes + timedelta(hours=1))
    assert entry.previous == (PreviousAttempt(NOW, None),)
    assert inputs[other.pk].windows == (Window(None, None),)
    assert inputs[other.pk].accommodation == AccommodationTerms()
    assert inputs[other.pk].previous == ()


def test_entries_leave_out_what_others_did(users, a_quiz):
    Accommodation.objects.create(quiz=a_quiz, learner=users.other_learner, time_percent=150)
    services.start(quiz=a_quiz.uuid, learner=users.other_learner, now=NOW)
    entry = load_start_inputs_by_quiz([a_quiz], users.learner)[a_quiz.pk]
    assert (entry.accommodation, entry.previous) == (AccommodationTerms(), ())


def test_open_attempts_come_in_one_query_and_read_their_papers_at_once(
    users, questions, django_assert_num_queries
):
    for number, question in enumerate(questions):
        quiz = create_quiz(users, [question], slug=f"quiz-{number}")
        services.start(quiz=quiz.uuid, learner=users.learner, now=NOW)
    load_open_attempts(users.learner)  # SQLite is asked once whether it knows JSON
    selectors._public_versions.clear()
    with django_assert_num_queries(3):
        assert len(load_open_attempts(users.learner)) == 3
    with django_assert_num_queries(1):
        assert len(load_open_attempts(users.learner)) == 3


def test_a_sheet_knows_when_the_newest_answer_was_saved(users, a_quiz, questions):
    attempt = services.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    assert load_attempt_view(attempt=attempt.uuid, learner=users.learner).saved_at is None
    for minutes, slot in enumerate((1, 2)):
        raw = {"chosen": option_ids(questions[slot], "b")}
        save_responses(
            attempt=attempt.uuid,
            learner=users.learner,
            inputs=[ResponseInput(slot=slot, raw=raw, idempotency_key=uuid4())],
            language="en",
            now=NOW + timedelta(minutes=minutes),
        )
    view = load_attempt_view(attempt=attempt.uuid, learner=users.learner)
    assert view.saved_at == NOW + timedelta(minutes=1)
    assert view.responses[1].at == NOW
