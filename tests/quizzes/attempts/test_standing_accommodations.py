"""More time at every quiz: limit and window at once, the longest of what one has, never the sum."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from accounts.models import Membership, Role
from quizzes.attempts.deadline_extension import extend_by_minutes
from quizzes.attempts.deadline_settings import save_standing_accommodation
from quizzes.attempts.models import Accommodation, Attempt, StandingAccommodation
from quizzes.attempts.rules import AccommodationTerms, StandingTerms, extra_time
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.publishing.models import Audience, Quiz
from quizzes.publishing.policies import Policies
from quizzes.results.reveal_inputs import find_last_closing
from tests.attempt_helpers import later, start
from tests.factories import NOW, create_quiz
from tests.quizzes.api.programs import program
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(users, questions) -> Quiz:
    return create_quiz(users, questions, time_limit=60)


def give(users: Users, now=NOW, by=None, **fields) -> int:
    row = StandingAccommodation(learner=users.learner, **fields)
    return save_standing_accommodation(accommodation=row, by=by or users.instructor, now=now)


@pytest.mark.parametrize(
    ("limit", "own", "standing", "extra"),
    [
        (60, 1, StandingTerms(Fraction(5, 4)), 15),
        (60, 1, StandingTerms(extra=timedelta(minutes=10)), 10),
        (60, 1, StandingTerms(Fraction(5, 4), timedelta(minutes=10)), 25),
        (60, 2, StandingTerms(Fraction(5, 4), timedelta(minutes=10)), 60),
        (None, 2, StandingTerms(Fraction(5, 4), timedelta(minutes=10)), 10),
        (None, 2, StandingTerms(), 0),
    ],
)
def test_the_longest_extra_time_counts(limit, own, standing, extra):
    terms = AccommodationTerms(Fraction(own), standing=standing)
    policies = Policies(time_limit_minutes=limit)
    assert extra_time(policies, terms) == timedelta(minutes=extra)


def test_it_extends_limit_and_window_of_every_quiz(users, questions):
    give(users, time_percent=125, extra_minutes=5, window_minutes=60)
    limited = create_quiz(users, questions, slug="limited", time_limit=60)
    closing = create_quiz(
        users, questions, slug="closing", time_limit=60, closes_at=later(minutes=30)
    )
    open_end = create_quiz(users, questions, slug="open", closes_at=later(minutes=30))
    quizzes = (limited, closing, open_end)
    deadlines = [start(quiz, users.learner).deadline_at for quiz in quizzes]
    assert deadlines == [later(minutes=80), later(minutes=80), later(minutes=95)]
    assert start(limited, users.other_learner).deadline_at == later(minutes=60)


def test_a_window_that_closes_later_lets_them_begin_later(users, questions):
    quiz = create_quiz(users, questions, closes_at=later(minutes=30))
    with pytest.raises(Refused, match="closed"):
        start(quiz, users.learner, later(minutes=40))
    give(users, window_minutes=20)
    assert start(quiz, users.learner, later(minutes=40)).deadline_at == later(minutes=50)


def test_an_attempt_in_progress_follows_the_larger_of_it_and_time_given_by_hand(users, timed):
    attempt = start(timed, users.learner)
    assert give(users, later(minutes=10), extra_minutes=15) == 1
    by = users.instructor
    chosen = Attempt.objects.filter(pk=attempt.pk)
    extend_by_minutes(attempts=chosen, minutes=30, reason="Alarm", by=by, now=later(minutes=11))
    assert give(users, later(minutes=12), extra_minutes=40) == 0
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=105)
    assert give(users, later(minutes=13), extra_minutes=60) == 1
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=120)


def test_of_it_and_the_accommodation_of_a_quiz_the_longer_counts(users, timed):
    Accommodation.objects.create(quiz=timed, learner=users.learner, time_percent=150)
    give(users, time_percent=125)
    assert start(timed, users.learner).deadline_at == later(minutes=90)


def test_saved_again_it_is_one_row_and_taken_back_it_takes_no_time(users, timed):
    give(users, extra_minutes=10)
    attempt = start(timed, users.learner)
    assert give(users) == 0
    attempt.refresh_from_db()
    assert attempt.deadline_at == later(minutes=70)
    assert StandingAccommodation.objects.get().extra_minutes == 0


def test_it_is_in_the_audit_log_without_its_reason(users):
    give(users, time_percent=125, reason="Dyslexia")
    event = AuditEvent.objects.get(code=AuditCode.TIME_GIVEN)
    assert event.after is not None
    assert event.after["time_percent"] == 125
    assert "Dyslexia" not in str(event.after)


def test_keys_wait_for_the_last_window_of_those_who_may_take_the_quiz(users, questions):
    quiz = create_quiz(users, questions, time_limit=60, closes_at=later(hours=1))
    policies = Policies(time_limit_minutes=60)
    row = StandingAccommodation(learner=users.stranger, window_minutes=600)
    save_standing_accommodation(accommodation=row, by=users.administrator, now=NOW)
    assert find_last_closing(quiz, policies) == later(hours=1)
    give(users, time_percent=125, window_minutes=30)
    assert find_last_closing(quiz, policies) == later(minutes=105)
    quiz.audience = Audience.SIGNED_IN
    assert find_last_closing(quiz, policies) == later(minutes=675)


def test_only_those_who_teach_somebody_give_them_time(users):
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    for person in (users.learner, users.outsider, users.stranger):
        with pytest.raises(NotFound):
            give(users, by=person, time_percent=125)
    give(users, by=users.administrator, time_percent=125)


def test_the_database_has_bounds(users):
    for fields in ({"time_percent": 99}, {"extra_minutes": 601}, {"window_minutes": 10_081}):
        with pytest.raises(IntegrityError), transaction.atomic():
            StandingAccommodation.objects.create(learner=users.learner, **fields)


def test_it_is_read_and_saved_over_rest(users):
    path = f"people/{users.learner.uuid}/accommodation"
    client = program(users.instructor)
    assert client.get(path).json()["time_percent"] == 100
    answer = client.post(path, {"time_percent": 125, "reason": "Dyslexia"})
    assert answer.json() == client.get(path).json()
    assert answer.json()["time_percent"] == 125
    assert client.post(path, {"time_percent": 99}).status_code == 422
    assert program(users.learner).get(path).status_code == 404


def test_it_is_given_on_a_page_and_reaches_who_is_at_a_quiz(users, timed):
    attempt = start(timed, users.learner, clock.now())
    client = logged_in_client(users.instructor)
    fields = {
        "learner": users.learner.pk,
        "time_percent": 125,
        "extra_minutes": 0,
        "window_minutes": 0,
        "reason": "",
    }
    url = "/admin/attempts/standingaccommodation/add/"
    page = client.post(url, fields, follow=True).content.decode()
    assert "1 open attempt has more time from now on." in page
    before = attempt.deadline_at
    attempt.refresh_from_db()
    assert before is not None
    assert attempt.deadline_at == before + timedelta(minutes=15)
    foreign = client.post(url, fields | {"learner": users.stranger.pk})
    assert foreign.status_code == 200
    assert StandingAccommodation.objects.count() == 1


def test_an_accommodation_is_called_by_its_share_as_each_language_writes_it(users):
    own = StandingAccommodation(learner=users.learner, time_percent=150, extra_minutes=5)
    at_quiz = Accommodation(learner=users.learner, time_percent=125)
    assert (f"{own}", f"{at_quiz}") == (f"{users.learner}: 150%, +5 min", f"{users.learner}: 125%")
    with translation.override("es"):
        assert f"{at_quiz}" == f"{users.learner}: 125\N{NO-BREAK SPACE}%"
