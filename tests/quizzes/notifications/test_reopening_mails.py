"""Whoever has an attempt reopened is told at once, and until when it goes on."""

import pytest
from django.core import mail

from quizzes.attempts.models import Attempt
from quizzes.notifications.delivery import send_due
from quizzes.notifications.event_reading import read_events
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.results.reopening import reopen_attempt
from tests.attempt_helpers import finish, later, take_quiz
from tests.factories import create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def reopened(users, questions) -> Attempt:
    quiz = create_quiz(users, questions, time_limit=60)
    ended = take_quiz(quiz, users.learner, {0: "a"})
    return reopen_attempt(
        attempt=ended.uuid,
        minutes=15,
        reason="The fire alarm",
        by=users.instructor,
        now=later(minutes=30),
    )


def send(minutes: int) -> None:
    read_events(now=later(minutes=minutes))
    send_due(now=later(minutes=minutes))


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("en", "Your attempt at “A quiz” was reopened", "you go on where you were"),
        ("es", "Se reabrió tu intento de «Un examen»", "continúas donde estabas"),
    ],
)
def test_the_mail_says_until_when_and_leads_there(users, reopened, language, subject, words):
    users.learner.language = language
    users.learner.save()
    send(31)
    row = Notification.objects.get(kind=NotificationKind.REOPENED)
    assert (row.recipient, row.state) == (users.learner, "sent")
    (message,) = mail.outbox
    assert subject in message.subject
    assert words in message.body
    assert "12:45" in message.body
    assert f"/attempts/{reopened.uuid}/" in message.body
    assert "The fire alarm" not in message.body
    send(32)
    assert len(mail.outbox) == 1


def test_nothing_is_sent_of_what_was_handed_in_meanwhile(reopened):
    finish(reopened, later(minutes=31))
    send(32)
    row = Notification.objects.get(kind=NotificationKind.REOPENED)
    assert (row.state, row.error) == ("not_sent", "too_late")


def test_nothing_is_sent_when_its_time_is_over(reopened):
    send(50)
    assert Notification.objects.get(kind=NotificationKind.REOPENED).state == "not_sent"
    assert mail.outbox == []
