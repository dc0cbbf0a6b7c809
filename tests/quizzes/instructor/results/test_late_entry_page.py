"""The page that lets a learner begin after the others, and what it refuses."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Membership, Role, User
from quizzes.attempts.models import Accommodation, Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(users, questions) -> Quiz:
    """A quiz of half an hour that closed a minute ago."""
    quiz = create_quiz(users, questions, slug="timed", time_limit=30)
    ended = clock.now() - timedelta(minutes=1)
    quiz.assignments.update(opens_at=ended - timedelta(hours=1), closes_at=ended)
    return quiz


@pytest.fixture
def client(users) -> Client:
    return logged_in_client(users.instructor)


def room_of(quiz: Quiz) -> str:
    return f"/admin/attempts/attempt/progress/{quiz.uuid}/"


def url_of(quiz: Quiz, learner: User) -> str:
    return f"{room_of(quiz)}late/{learner.uuid}/"


def read(client: Client, url: str) -> str:
    response = client.get(url)
    return f"{response.status_code} {response.content.decode()}"


def send(client: Client, url: str, **fields: str) -> str:
    response = client.post(url, {"minutes": "30", "reason": "A late bus", **fields}, follow=True)
    return f"{response.status_code} {response.content.decode()}"


def test_the_room_leads_to_it_and_the_learner_begins(users, closed, client):
    intro = f"/quizzes/{closed.slug}/"
    learner = logged_in_client(users.learner)
    assert learner.post(f"{intro}start").status_code != 302 or not Attempt.objects.exists()
    assert url_of(closed, users.learner) in read(client, room_of(closed))
    page = read(client, url_of(closed, users.learner))
    assert "The quiz closed for them at" in page
    assert 'value="30"' in page
    page = send(client, url_of(closed, users.learner))
    assert "Learner may begin and work until" in page
    assert "In progress" in page
    learner.post(f"{intro}start")
    attempt = Attempt.objects.get()
    assert attempt.learner == users.learner
    assert AuditEvent.objects.filter(code=AuditCode.TIME_GIVEN).exists()


def test_what_the_learner_was_given_before_stays(users, closed, client):
    Accommodation.objects.create(
        quiz=closed, learner=users.learner, time_percent=150, reason="Reads slowly"
    )
    send(client, url_of(closed, users.learner), minutes="60")
    later = Accommodation.objects.get()
    assert (later.time_percent, later.reason) == (150, "Reads slowly; A late bus")
    assert later.closes_at is not None
    send(client, url_of(closed, users.learner), minutes="5", reason="Again")
    again = Accommodation.objects.get()
    assert again.closes_at == later.closes_at


def test_it_asks_for_minutes_and_a_reason(users, closed, client):
    for fields in ({"reason": ""}, {"minutes": "0"}, {"minutes": "x"}):
        assert send(client, url_of(closed, users.learner), **fields).startswith("200")
    assert not Accommodation.objects.exists()


def test_where_the_quiz_does_not_close_or_has_not_opened_there_is_nothing_to_do(
    users, closed, client
):
    closed.assignments.update(opens_at=None, closes_at=None)
    assert url_of(closed, users.learner) not in read(client, room_of(closed))
    assert "has no closing time for them" in read(client, url_of(closed, users.learner))
    opens = clock.now() + timedelta(hours=1)
    closed.assignments.update(opens_at=opens, closes_at=opens + timedelta(hours=1))
    page = send(client, url_of(closed, users.learner))
    assert "has not opened for them yet" in page
    assert not Accommodation.objects.exists()


def test_who_has_begun_gets_time_in_the_room(users, closed, client):
    closed.assignments.update(closes_at=clock.now() + timedelta(hours=1))
    start(closed, users.learner, clock.now())
    assert url_of(closed, users.learner) not in read(client, room_of(closed))
    assert url_of(closed, users.other_learner) in read(client, room_of(closed))


@pytest.mark.parametrize("role", ["outsider", "learner", "stranger"])
def test_others_let_nobody_in(users, closed, role):
    assert send(logged_in_client(getattr(users, role)), url_of(closed, users.learner))[:3] == "404"
    assert not Accommodation.objects.exists()


def test_assistants_let_nobody_in_and_nobody_lets_in_a_stranger(users, closed, client):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assistant = logged_in_client(users.outsider)
    assert send(assistant, url_of(closed, users.learner))[:3] == "404"
    assert send(client, url_of(closed, users.stranger))[:3] == "404"
    assert not Accommodation.objects.exists()
