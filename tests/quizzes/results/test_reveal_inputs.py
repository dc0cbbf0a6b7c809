"""What reveal's decision rests on, read from the rows: last attempts, closings, who still works."""

from datetime import datetime

import pytest

from quizzes.attempts.models import Accommodation, Assignment, Attempt
from quizzes.publishing.models import Audience, Quiz, RevealMoment
from quizzes.publishing.policies import Policies
from quizzes.results import services
from quizzes.results.reveal import LEARNER, OVERSEER, RevealContext
from quizzes.results.reveal_inputs import (
    find_last_closing,
    load_reveal_contexts,
    with_related_rows,
)
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, start, take_quiz
from tests.factories import NOW, create_quiz

pytestmark = pytest.mark.django_db

RIGHT = {0: "abc", 1: "b", 2: "b"}


def known(attempt: Attempt, viewer=None, now: datetime = NOW) -> RevealContext:
    row = with_related_rows(Attempt.objects.filter(pk=attempt.pk)).get()
    return load_reveal_contexts(
        [row], viewer or attempt.learner, now, moments={row.pk: RevealMoment.values}
    )[row.pk]


def closed(attempt: Attempt, **span: float) -> bool:
    return known(attempt, now=later(**span)).closed


def window(of: Quiz, **fields) -> None:
    Assignment.objects.filter(quiz=of).update(**fields)


# --- Who looks, and who has passed -----------------------------------------------------------
@pytest.mark.parametrize(
    ("who", "role"), [("learner", LEARNER), ("instructor", OVERSEER), ("administrator", OVERSEER)]
)
def test_ones_own_attempt_is_seen_as_a_learner(users, a_quiz, who, role):
    attempt = take_quiz(a_quiz, users.learner)
    assert known(attempt, getattr(users, who)).role == role


def test_an_instructor_sees_their_own_attempt_as_a_learner_does(users, a_quiz):
    assert known(take_quiz(a_quiz, users.instructor)).role == LEARNER


def test_who_has_passed_once_has_passed_for_every_attempt(users, a_quiz):
    failed = take_quiz(a_quiz, users.learner)
    assert not known(failed).passed
    passed = take_quiz(a_quiz, users.learner, RIGHT, later(hours=1))
    assert known(failed).passed
    assert known(passed).passed


def test_a_pass_that_the_quiz_grade_does_not_count_is_still_a_pass_there(users, questions):
    of = create_quiz(users, questions, attempt_grade_policy="latest")
    passed = take_quiz(of, users.learner, RIGHT)
    failed = take_quiz(of, users.learner, now=later(hours=1))
    assert known(passed).passed
    assert not known(failed).passed


# --- The last attempt ------------------------------------------------------------------------
def test_without_a_limit_there_is_no_last_attempt(users, a_quiz):
    assert not known(take_quiz(a_quiz, users.learner)).exhausted


def test_the_last_attempt_is_over_when_it_is_submitted(users, questions):
    of = create_quiz(users, questions, max_attempts=2)
    first = take_quiz(of, users.learner)
    assert not known(first).exhausted
    second = start(of, users.learner, later(hours=1))
    assert not known(first).exhausted  # or its key would help in the second
    services.finish(attempt=second.uuid, learner=users.learner, now=later(hours=1))
    assert known(first).exhausted
    assert known(second).exhausted


def test_the_key_of_an_earlier_attempt_stays_hidden_while_the_last_one_is_open(users, questions):
    of = create_quiz(users, questions, max_attempts=2)
    first = take_quiz(of, users.learner)
    start(of, users.learner, later(hours=1))
    seen = load_report(attempt=first.uuid, viewer=users.learner, language="en", now=later(hours=1))
    assert {item.solution for item in seen.questions} == {None}
    assert {item.explanation for item in seen.questions} == {""}


def test_extra_attempts_come_before_the_last(users, questions):
    of = create_quiz(users, questions, max_attempts=1)
    Accommodation.objects.create(quiz=of, learner=users.learner, extra_attempts=1)
    assert not known(take_quiz(of, users.learner)).exhausted
    assert known(take_quiz(of, users.other_learner)).exhausted


def test_a_void_attempt_is_not_the_last(users, questions):
    of = create_quiz(users, questions, max_attempts=1)
    attempt = take_quiz(of, users.learner)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="fire alarm", now=NOW)
    assert not known(attempt).exhausted


def test_others_attempts_do_not_use_up_ones_own(users, questions):
    of = create_quiz(users, questions, max_attempts=2)
    take_quiz(of, users.other_learner)
    assert not known(take_quiz(of, users.learner)).exhausted


# --- Closed for everyone ---------------------------------------------------------------------
def test_a_quiz_without_closing_time_never_closes(users, a_quiz):
    assert not closed(take_quiz(a_quiz, users.learner), days=9999)


def test_a_quiz_closes_after_its_own_closing_time(users, questions):
    attempt = take_quiz(create_quiz(users, questions, closes_at=later(hours=2)), users.learner)
    assert not closed(attempt, hours=2)
    assert closed(attempt, hours=2, seconds=1)


def test_the_last_window_of_anyone_counts(users, a_quiz):
    window(a_quiz, closes_at=later(hours=1))
    Assignment.objects.create(quiz=a_quiz, group=users.other_group, closes_at=later(hours=3))
    attempt = take_quiz(a_quiz, users.learner)
    assert not closed(attempt, hours=2)
    assert closed(attempt, hours=3, seconds=1)


def test_one_window_without_end_keeps_it_open(users, a_quiz):
    window(a_quiz, closes_at=later(hours=1))
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert not closed(take_quiz(a_quiz, users.learner), days=9999)


def test_the_quizs_closing_time_fills_in_for_a_window_without_one(users, questions):
    of = create_quiz(users, questions, closes_at=later(hours=5))
    Assignment.objects.create(quiz=of, group=users.other_group, closes_at=later(hours=3))
    attempt = take_quiz(of, users.learner)
    assert not closed(attempt, hours=4)
    assert closed(attempt, hours=5, seconds=1)


def test_what_is_open_to_everyone_does_not_close_with_the_windows_of_groups(users, questions):
    of = create_quiz(users, questions, audience=Audience.SIGNED_IN)
    window(of, closes_at=later(hours=1))
    assert not closed(take_quiz(of, users.learner), days=9999)


def test_extra_time_of_anyone_moves_the_closing(users, questions):
    of = create_quiz(users, questions, time_limit=60, closes_at=later(hours=2))
    Accommodation.objects.create(quiz=of, learner=users.other_learner, time_percent=150)
    attempt = take_quiz(of, users.learner)
    assert not closed(attempt, hours=2, minutes=30)
    assert closed(attempt, hours=2, minutes=30, seconds=1)


def test_an_own_closing_time_of_anyone_moves_the_closing(users, questions):
    of = create_quiz(users, questions, closes_at=later(hours=2))
    Accommodation.objects.create(quiz=of, learner=users.other_learner, closes_at=later(hours=5))
    Accommodation.objects.create(quiz=of, learner=users.stranger, closes_at=later(hours=1))
    attempt = take_quiz(of, users.learner)
    assert not closed(attempt, hours=5)
    assert closed(attempt, hours=5, seconds=1)


def test_without_a_time_limit_extra_time_moves_nothing(users, questions):
    of = create_quiz(users, questions, closes_at=later(hours=2))
    Accommodation.objects.create(quiz=of, learner=users.other_learner, time_percent=300)
    assert closed(take_quiz(of, users.learner), hours=2, seconds=1)


def test_whoever_still_works_within_the_grace_keeps_it_open(users, questions):
    of = create_quiz(users, questions, closes_at=later(hours=2), grace_seconds=60)
    attempt = take_quiz(of, users.learner)
    start(of, users.other_learner, later(hours=1))
    assert not closed(attempt, hours=2, seconds=60)
    assert closed(attempt, hours=2, seconds=61)


def test_whoever_works_without_a_limit_keeps_it_open(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner)
    start(a_quiz, users.other_learner)
    window(a_quiz, closes_at=later(hours=1))
    assert not closed(attempt, days=9999)


@pytest.mark.parametrize(
    ("moments", "most"),
    [
        ({"after_submit", "after_pass", "never"}, 1),  # the rows answer by themselves
        ({"after_close"}, 2),  # and the assignments
        ({"after_last_attempt"}, 2),
    ],
)
def test_the_facts_of_many_attempts_take_as_many_queries_as_of_one(
    users, a_quiz, counted, moments, most
):
    for hour in range(3):
        take_quiz(a_quiz, users.learner, now=later(hours=hour))
    with counted() as queries:
        rows = list(with_related_rows(Attempt.objects.filter(learner=users.learner)))
        load_reveal_contexts(rows, users.learner, NOW, moments={row.pk: moments for row in rows})
    assert len(rows) == 3
    assert len(queries) == most


# --- When the last window closes -------------------------------------------------------------
def last_closing(of: Quiz) -> datetime | None:
    of.refresh_from_db()
    return find_last_closing(of, Policies(time_limit_minutes=60))


def test_the_last_closing_is_the_latest_of_all_classes_with_the_longest_extra_time(users, a_quiz):
    window(a_quiz, closes_at=later(hours=1))
    Assignment.objects.create(quiz=a_quiz, group=users.other_group, closes_at=later(hours=3))
    assert last_closing(a_quiz) == later(hours=3)
    Accommodation.objects.create(quiz=a_quiz, learner=users.learner, time_percent=150)
    assert last_closing(a_quiz) == later(hours=3, minutes=30)


def test_a_quiz_with_a_window_that_never_closes_has_no_last_closing(users, a_quiz):
    window(a_quiz, closes_at=later(hours=1))
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert last_closing(a_quiz) is None


def test_a_quiz_that_is_not_stored_yet_closes_with_its_own_window():
    assert find_last_closing(Quiz(closes_at=NOW), Policies()) == NOW
