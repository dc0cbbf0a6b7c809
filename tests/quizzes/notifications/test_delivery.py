"""Mails are sent at least once and not lost, whatever dies or does not answer meanwhile."""

from smtplib import SMTPDataError, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection

from quizzes.events.models import UnreadEvent
from quizzes.notifications import delivery, event_reading
from quizzes.notifications.delivery import send_due
from quizzes.notifications.event_reading import list_unreadable, read_events
from quizzes.notifications.models import Notification, NotificationState
from tests.attempt_helpers import later, take_quiz
from tests.factories import NOW, create_question, create_quiz
from tests.query_counts import Counted
from tests.quizzes.notifications.regrades import regrade, send_all
from tests.threads import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def regraded(users, into):
    """Two learners whose scores have changed, and an outbox that says so."""
    question = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], window_attempts=None)
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "b"})
    regrade(quiz, question, users)
    return quiz


def fail_with(error, monkeypatch, address="learner@example.org"):
    """Have the mail to an address fail, however often it is tried."""
    send = EmailBackend.send_messages

    def send_or_fail(self, messages):
        if messages[0].to == [address]:
            raise error
        return send(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", send_or_fail)


def test_a_mail_whose_process_died_before_it_was_noted_is_sent_again(regraded, monkeypatch):
    def die(row, **fields):
        raise KeyboardInterrupt

    read_events(now=NOW)
    with monkeypatch.context() as patched:
        patched.setattr(delivery, "_update", die)
        with pytest.raises(KeyboardInterrupt):
            send_due(now=NOW)
    assert len(mail.outbox) == 1
    assert send_due(now=NOW) == 1  # the other one: the first may still be on its way
    assert send_due(now=later(minutes=6)) == 1
    assert [message.to for message in mail.outbox].count(mail.outbox[0].to) == 2
    assert not Notification.objects.exclude(state=NotificationState.SENT).exists()


def test_a_process_that_dies_while_it_reads_the_outbox_loses_no_event(regraded, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(event_reading, "_plan_challenges", die)
        with pytest.raises(KeyboardInterrupt):
            read_events(now=NOW)
    assert (UnreadEvent.objects.count(), Notification.objects.count()) == (2, 0)
    assert len(send_all()) == 2


@pytest.mark.parametrize("error", [SMTPServerDisconnected("gone"), ConnectionRefusedError("away")])
def test_a_dead_mail_server_delays_all_mails_and_counts_against_none(regraded, monkeypatch, error):
    read_events(now=NOW)
    with monkeypatch.context() as patched:
        fail_with(error, patched)
        for hour in range(20):
            assert send_due(now=later(hours=hour)) <= 1
    assert not Notification.objects.filter(state=NotificationState.QUARANTINED).exists()
    send_due(now=later(days=30))
    assert {message.to[0] for message in mail.outbox} == {
        "learner@example.org",
        "other_learner@example.org",
    }


def test_a_server_that_cannot_be_reached_is_asked_once_for_all(regraded, monkeypatch):
    asked_for = []

    def refuse(self):
        asked_for.append(1)
        raise ConnectionRefusedError

    read_events(now=NOW)
    with monkeypatch.context() as patched:
        patched.setattr(EmailBackend, "open", refuse)
        assert send_due(now=NOW) == 0
    assert len(asked_for) == 1
    assert set(Notification.objects.values_list("tries", flat=True)) == {0}
    assert send_due(now=NOW) == 2


def test_a_mail_that_is_refused_for_itself_is_quarantined_and_holds_up_no_other(
    regraded, monkeypatch
):
    fail_with(SMTPDataError(554, b"no such mailbox"), monkeypatch)
    read_events(now=NOW)
    assert send_due(now=NOW) == 1
    for day in range(1, 6):
        assert send_due(now=later(days=day)) == 0
    row = Notification.objects.get(state=NotificationState.QUARANTINED)
    assert row.tries == delivery.MAX_TRIES
    assert "SMTPDataError" in row.error


def test_an_event_that_cannot_be_read_is_put_aside_and_holds_up_no_other(regraded, monkeypatch):
    find_kind = event_reading.find_kind
    poison = UnreadEvent.objects.select_related("event").first()
    assert poison is not None

    def fail(before, after):
        if str(after.attempt.uuid) == str(poison.event.subject):
            raise ValueError("poison")
        return find_kind(before, after)

    monkeypatch.setattr(event_reading, "find_kind", fail)
    assert read_events(now=NOW) == 1
    assert Notification.objects.count() == 1
    for day in range(1, 6):
        assert read_events(now=later(days=day)) == 0
    row = list_unreadable().get()
    assert (row.pk, row.error) == (poison.pk, "ValueError: poison")


def test_the_same_event_read_twice_is_one_notification(regraded):
    unread = list(UnreadEvent.objects.all())
    read_events(now=NOW)
    UnreadEvent.objects.bulk_create(
        UnreadEvent(event_id=row.event_id, next_try_at=NOW) for row in unread
    )
    assert read_events(now=NOW) == 2
    assert Notification.objects.count() == 2


def test_reading_asks_as_many_statements_for_two_events_as_for_one(regraded, counted: Counted):
    unread = list(UnreadEvent.objects.all())
    UnreadEvent.objects.filter(pk=unread[0].pk).delete()
    with counted() as of_last:
        assert read_events(now=NOW) == 1
    UnreadEvent.objects.bulk_create(
        UnreadEvent(event_id=row.event_id, next_try_at=NOW) for row in unread
    )
    with counted() as of_both:
        assert read_events(now=NOW) == 2
    assert len(of_last) == len(of_both) == 7


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_write_and_send_each_mail_once(users, into):
    question = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], window_attempts=None)
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "b"})
    regrade(quiz, question, users)
    calls = [lambda: (read_events(now=NOW), send_due(now=NOW))] * 4
    outcomes = at_once(calls)
    assert all(isinstance(outcome, tuple) for outcome in outcomes), outcomes
    send_due(now=NOW)
    assert sorted(message.to[0] for message in mail.outbox) == [
        "learner@example.org",
        "other_learner@example.org",
    ]
    assert connection.vendor == "postgresql"
