"""Who is taking a quiz: states, answers that count, time left; for who oversees them alone."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Membership, Role
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    StandingAccommodation,
)
from quizzes.attempts.pauses import pause_attempts
from quizzes.attempts.quiz_progress import LearnerProgress, load_quiz_progress
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz
from quizzes.results import services
from tests.attempt_helpers import finish, later, save_choice, start
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.quizzes.statistics.attempt_histories import create_learners
from tests.users import create_user

pytestmark = pytest.mark.django_db
QUERIES = 7


@pytest.fixture
def quiz(users) -> Quiz:
    """Three questions, an hour."""
    bank = create_bank(users)
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(3)]
    return create_quiz(
        users, questions, shuffle_questions=False, window_attempts=None, time_limit=60
    )


def load(quiz: Quiz, viewer, now=NOW) -> dict[str, LearnerProgress]:
    rows = load_quiz_progress(quiz=quiz, viewer=viewer, now=now)
    return {row.name: row for row in rows}


def test_a_learner_has_not_begun_is_in_it_and_hands_in(users, quiz):
    assert load(quiz, users.instructor)["Learner"].state == "not_begun"
    attempt = start(quiz, users.learner)
    row = load(quiz, users.instructor)["Learner"]
    assert (row.state, row.attempt, row.attempt_number) == ("in_progress", attempt.pk, 1)
    assert (row.answered, row.questions, row.last_saved_at) == (0, 3, None)
    finish(attempt, later(minutes=5))
    row = load(quiz, users.instructor, later(minutes=6))["Learner"]
    assert (row.state, row.submitted_at, row.time_left) == ("handed_in", later(minutes=5), None)


def test_only_answers_that_count_are_counted(users, quiz):
    attempt = start(quiz, users.learner)
    save_choice(attempt, 0, "a", later(minutes=1))
    save_choice(attempt, 1, "a", later(minutes=2))
    save_choice(attempt, 1, "b", later(minutes=3))
    row = load(quiz, users.instructor, later(minutes=4))["Learner"]
    assert (row.answered, row.last_saved_at) == (2, later(minutes=3))


def test_the_time_left_is_that_of_the_deadline_and_never_below_zero(users, quiz):
    start(quiz, users.learner)
    row = load(quiz, users.instructor, later(minutes=50))["Learner"]
    assert row.time_left == timedelta(minutes=10)
    row = load(quiz, users.instructor, later(minutes=70))["Learner"]
    assert row.time_left == timedelta()


def test_the_latest_attempt_is_shown(users, quiz):
    finish(start(quiz, users.learner))
    second = start(quiz, users.learner, later(hours=1))
    row = load(quiz, users.instructor, later(hours=1))["Learner"]
    assert (row.attempt, row.attempt_number, row.state) == (second.pk, 2, "in_progress")


def test_a_void_attempt_is_called_so(users, quiz):
    attempt = start(quiz, users.learner)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="a test", now=NOW)
    assert load(quiz, users.instructor)["Learner"].state == "void"


def test_those_in_it_come_first_then_those_who_have_not_begun_by_name(users, quiz):
    create_learners(users, ["b", "a"])
    start(quiz, users.other_learner)
    finish(start(quiz, users.learner))
    assert list(load(quiz, users.instructor)) == ["Other_Learner", "A", "B", "Learner"]


def test_who_needs_attention_comes_first_until_they_hand_in(users, quiz):
    late, _waiting = create_learners(users, ["m-late", "waiting"])
    start(quiz, users.learner, later(minutes=30))
    attempt = start(quiz, late)
    now = later(minutes=54)
    assert list(load(quiz, users.instructor, now))[:2] == ["Learner", "M-Late"]
    now = later(minutes=56)
    assert list(load(quiz, users.instructor, now))[:2] == ["M-Late", "Learner"]
    finish(attempt, now)
    expected = ["Learner", "Other_Learner", "Waiting", "M-Late"]
    assert list(load(quiz, users.instructor, now)) == expected


def test_whoever_has_an_attempt_without_an_assignment_is_listed_to_the_class_of_the_quiz(
    users, quiz
):
    start(quiz, users.learner)
    Assignment.objects.all().delete()
    assert list(load(quiz, users.instructor)) == ["Learner"]


def test_an_attempt_of_staff_is_none_of_the_exam(users, quiz):
    start(quiz, users.instructor)
    assert "Instructor" not in load(quiz, users.instructor)


def test_who_is_given_the_quiz_with_another_class_sees_that_class_alone(users, quiz):
    start(quiz, users.learner)
    theirs = create_user("theirs")
    Membership.objects.create(group=users.other_group, user=theirs, role=Role.LEARNER)
    Assignment.objects.create(quiz=quiz, group=users.other_group)
    assert list(load(quiz, users.outsider)) == ["Theirs"]


def test_an_assistant_looks_and_others_find_nothing(users, quiz):
    for person in (users.outsider, users.learner, users.stranger):
        with pytest.raises(NotFound):
            load(quiz, person)
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    assert "Learner" in load(quiz, users.stranger)


def test_a_class_of_40_costs_as_many_queries_as_one_of_two(users, quiz):
    save_choice(start(quiz, users.learner), 0, "a")
    with CaptureQueriesContext(connection) as few:
        load(quiz, users.instructor)
    for learner in create_learners(users, [f"l{n:02}" for n in range(38)]):
        save_choice(start(quiz, learner), 0, "a")
    with CaptureQueriesContext(connection) as many:
        assert len(load(quiz, users.instructor)) == 40
    assert len(many) == len(few) <= QUERIES


def test_a_paused_learner_is_called_so_and_their_time_stands(users, quiz):
    attempts = Attempt.objects.filter(pk=start(quiz, users.learner).pk)
    by = users.instructor
    pause_attempts(attempts=attempts, minutes=20, reason="Fire alarm", by=by, now=later(minutes=5))
    row = load(quiz, users.instructor, later(minutes=15))["Learner"]
    assert (row.state, row.paused_until) == ("paused", later(minutes=25))
    assert row.time_left == timedelta(minutes=55)
    row = load(quiz, users.instructor, later(minutes=26))["Learner"]
    assert (row.state, row.time_left) == ("in_progress", timedelta(minutes=54))


def test_who_has_more_time_is_marked_before_and_after_they_begin(users, quiz):
    assert not load(quiz, users.instructor)["Learner"].has_more_time
    standing = StandingAccommodation.objects.create(learner=users.learner, extra_minutes=10)
    assert load(quiz, users.instructor)["Learner"].has_more_time
    start(quiz, users.learner)
    assert load(quiz, users.instructor)["Learner"].has_more_time
    standing.delete()
    assert not load(quiz, users.instructor)["Learner"].has_more_time
    Accommodation.objects.create(quiz=quiz, learner=users.learner, time_percent=150)
    assert load(quiz, users.instructor)["Learner"].has_more_time


def test_a_longer_window_or_another_quiz_is_no_more_time(users, quiz, questions):
    StandingAccommodation.objects.create(learner=users.learner, window_minutes=60)
    other = create_quiz(users, questions, slug="other")
    Accommodation.objects.create(quiz=other, learner=users.learner, time_percent=150)
    assert not load(quiz, users.instructor)["Learner"].has_more_time
