"""More time for those who are at it: it is given at once, and never taken back."""

from datetime import timedelta

import pytest

from quizzes.attempts.deadline_extension import MAX_MINUTES, extend_by_minutes, extend_deadlines
from quizzes.attempts.deadline_settings import save_accommodation
from quizzes.attempts.models import Accommodation, Assignment, Attempt, State
from quizzes.audit.models import AuditEvent
from quizzes.events.models import Event
from quizzes.lib.errors import Invalid, Refused
from quizzes.lib.hash_chain import format_time
from tests.attempt_helpers import finish, later, save_choice, start
from tests.factories import NOW, create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(users, questions):
    return create_quiz(users, questions, time_limit=60)


def give(of, learner, percent: int) -> None:
    Accommodation.objects.update_or_create(
        quiz=of, learner=learner, defaults={"time_percent": percent}
    )


def reach(now=NOW) -> int:
    return extend_deadlines(Attempt.objects.all(), now=now)


def test_a_later_closing_for_a_learner_reaches_their_open_attempt_alone(users, questions):
    closing = create_quiz(users, questions, closes_at=later(hours=1))
    attempt, other = start(closing, users.learner), start(closing, users.other_learner)
    late = Accommodation(quiz=closing, learner=users.learner, closes_at=later(hours=3))
    by = users.instructor
    assert save_accommodation(accommodation=late, by=by, now=later(minutes=59)) == 1
    attempt.refresh_from_db()
    other.refresh_from_db()
    assert (attempt.deadline_at, other.deadline_at) == (later(hours=3), later(hours=1))
    event = AuditEvent.objects.filter(code="time_given").earliest("pk")
    assert event.after is not None
    assert event.after["closes_at"] == format_time(later(hours=3))


def test_who_comes_late_is_let_in_by_an_own_closing_time(users, questions):
    closing = create_quiz(users, questions, closes_at=later(hours=1))
    with pytest.raises(Refused, match="closed"):
        start(closing, users.learner, later(hours=2))
    late = Accommodation(quiz=closing, learner=users.learner, closes_at=later(hours=3))
    save_accommodation(accommodation=late, by=users.instructor, now=later(hours=2))
    assert start(closing, users.learner, later(hours=2)).deadline_at == later(hours=3)
    with pytest.raises(Refused, match="closed"):
        start(closing, users.other_learner, later(hours=2))


def test_an_accommodation_reaches_the_open_attempt(users, timed):
    attempt = start(timed, users.learner)
    give(timed, users.learner, 150)
    assert reach(later(minutes=59)) == 1
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=90)
    assert attempt.cutoff_at
    assert attempt.cutoff_at > attempt.deadline_at
    assert save_choice(attempt, 0, "a", later(minutes=89)).status == "accepted"


def test_it_is_told_as_an_event(users, timed):
    attempt = start(timed, users.learner)
    give(timed, users.learner, 200)
    reach(later(minutes=1))
    event = Event.objects.get(kind="attempt.extended")
    assert event.subject == attempt.uuid
    assert event.data == {"deadline_at": later(hours=2).isoformat()}


def test_asked_again_nothing_moves(users, timed):
    start(timed, users.learner)
    give(timed, users.learner, 150)
    assert [reach(), reach()] == [1, 0]
    assert Event.objects.filter(kind="attempt.extended").count() == 1


def test_time_that_was_given_is_not_taken_back(users, timed):
    give(timed, users.learner, 200)
    attempt = start(timed, users.learner)
    give(timed, users.learner, 100)
    assert reach() == 0
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(hours=2)


def test_what_is_over_stays_over(users, timed):
    gone = start(timed, users.learner)
    handed_in = finish(start(timed, users.other_learner), later(minutes=5))
    for learner in (users.learner, users.other_learner):
        give(timed, learner, 300)
    assert reach(later(minutes=61)) == 0
    gone.refresh_from_db()
    assert (gone.state, gone.deadline_at) == (State.OPEN, later(hours=1))
    assert handed_in.state == State.GRADED


def test_only_the_attempts_asked_about_move(users, timed):
    extended, other = start(timed, users.learner), start(timed, users.other_learner)
    for learner in (users.learner, users.other_learner):
        give(timed, learner, 150)
    assert extend_deadlines(Attempt.objects.filter(learner=users.learner), now=NOW) == 1
    for attempt in (extended, other):
        attempt.refresh_from_db()
    assert (extended.deadline_at, other.deadline_at) == (later(minutes=90), later(hours=1))


def test_a_later_closing_reaches_those_whom_it_ends(users, questions):
    of = create_quiz(users, questions, time_limit=60, closes_at=later(minutes=30))
    attempt = start(of, users.learner)
    assert attempt.deadline_at == later(minutes=30)
    of.closes_at = later(minutes=45)
    of.save()
    assert reach() == 1
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=45)


def test_one_whose_window_was_taken_away_keeps_its_deadline(users, timed):
    attempt = start(timed, users.learner)
    Assignment.objects.update(opens_at=later(days=1), closes_at=later(days=2))
    assert reach() == 0
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(hours=1)


def test_one_without_a_deadline_still_has_none(users, a_quiz):
    start(a_quiz, users.learner)
    give(a_quiz, users.learner, 150)
    assert reach() == 0


def give_minutes(users, minutes: int = 10, reason: str = " Fire alarm ", now=NOW) -> int:
    return extend_by_minutes(
        attempts=Attempt.objects.all(), minutes=minutes, reason=reason, by=users.instructor, now=now
    )


def test_minutes_are_given_to_all_who_still_take_it_each_with_the_reason(users, timed):
    attempts = [start(timed, users.learner), start(timed, users.other_learner)]
    assert give_minutes(users, now=later(minutes=60)) == 2
    for attempt in attempts:
        attempt.refresh_from_db()
        assert attempt.deadline_at == later(minutes=70)
        assert attempt.cutoff_at == later(minutes=70, seconds=10)
    recorded = AuditEvent.objects.filter(code="time_given")
    assert {event.subject for event in recorded} == {attempt.uuid for attempt in attempts}
    assert {(event.actor, (event.after or {}).get("reason")) for event in recorded} == {
        (users.instructor.uuid, "Fire alarm")
    }


def test_minutes_given_twice_add_up(users, timed):
    attempt = start(timed, users.learner)
    assert [give_minutes(users), give_minutes(users)] == [1, 1]
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=80)


def test_minutes_count_until_the_cutoff_and_not_after_it(users, timed):
    start(timed, users.learner)
    cutoff_at = later(minutes=60, seconds=10)
    assert give_minutes(users, now=cutoff_at + timedelta(microseconds=1)) == 0
    assert give_minutes(users, now=cutoff_at) == 1


def test_an_attempt_without_a_deadline_gets_none(users, questions):
    attempt = start(create_quiz(users, questions), users.learner)
    assert give_minutes(users) == 0
    attempt.refresh_from_db()
    assert attempt.deadline_at is None


@pytest.mark.parametrize(
    ("minutes", "reason"), [(0, "why"), (-1, "why"), (MAX_MINUTES + 1, "why"), (10, "  ")]
)
def test_minutes_out_of_range_or_without_a_reason_are_refused(users, timed, minutes, reason):
    start(timed, users.learner)
    with pytest.raises(Invalid):
        give_minutes(users, minutes, reason)
