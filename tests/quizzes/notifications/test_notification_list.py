"""The list of notifications in the admin: who sees which, what is tried again, what is deleted."""

from datetime import timedelta

import pytest
from django.core import mail

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.notifications.models import Notification, NotificationKind, NotificationState
from quizzes.notifications.tasks import send_notifications
from quizzes.presentation.messages.notifications import KIND_LABELS
from quizzes.privacy.retention import apply_retention
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_question, create_quiz
from tests.query_counts import Counted
from tests.quizzes.notifications.regrades import regrade, send_all
from tests.users import Users, create_user, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("failed_lookups")]
PAGE = "/admin/notifications/notification/"


@pytest.fixture
def row(users: Users, into) -> Notification:
    """What a learner was to hear of a regrade, in quarantine."""
    question = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], window_attempts=None)
    take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, question, users)
    send_all()
    mail.outbox.clear()
    Notification.objects.update(
        state=NotificationState.QUARANTINED, sent_at=None, tries=5, error="SMTPDataError: (554)"
    )
    return Notification.objects.get()


@pytest.mark.parametrize(
    ("who", "is_listed"),
    [("administrator", True), ("instructor", True), ("outsider", False)],
)
def test_whoever_oversees_the_quiz_sees_what_became_of_its_mails(users, row, who, is_listed):
    page = logged_in_client(getattr(users, who)).get(PAGE, {"state": "quarantined"})
    assert page.status_code == 200
    assert ("SMTPDataError: (554)" in page.content.decode()) == is_listed


@pytest.mark.parametrize("who", ["learner", "stranger"])
def test_learners_have_no_such_list(users, row, who):
    assert logged_in_client(getattr(users, who)).get(PAGE).status_code in {302, 403, 404}


def test_what_is_in_quarantine_is_tried_again_and_recorded(users, row):
    client = logged_in_client(users.instructor)
    sent = {"action": "send_again", "_selected_action": [row.pk]}
    page = client.post(PAGE, sent, follow=True).content.decode()
    assert "1 notification is tried again" in page
    assert send_notifications() == 1
    assert mail.outbox[0].to == [users.learner.email]
    event = AuditEvent.objects.get(code=AuditCode.NOTIFICATION_SENT_AGAIN)
    assert (event.actor, event.before) == (users.instructor.uuid, {"state": "quarantined"})
    assert "it stays as it is" in client.post(PAGE, sent, follow=True).content.decode()
    assert send_notifications() == 0


def test_nobody_tries_again_what_they_do_not_oversee(users, row):
    sent = {"action": "send_again", "_selected_action": [row.pk]}
    logged_in_client(users.outsider).post(PAGE, sent)
    row.refresh_from_db()
    assert row.state == NotificationState.QUARANTINED


def test_the_list_says_in_words_why_a_mail_was_not_sent(users, row):
    Notification.objects.update(state=NotificationState.NOT_SENT, error="score_hidden")
    users.administrator.language = "es"
    users.administrator.save()
    page = logged_in_client(users.administrator).get(PAGE).content.decode()
    assert "La puntuación no se muestra ahora al estudiante." in page


def test_the_list_costs_as_much_for_many_as_for_one(users, row, counted: Counted):
    client = logged_in_client(users.administrator)
    client.get(PAGE)
    with counted() as of_one:
        client.get(PAGE)
    for number in range(5):
        Notification.objects.create(
            recipient=create_user(f"person{number}"),
            kind=NotificationKind.GRADED,
            cause="event",
            quiz=row.quiz,
            next_try_at=NOW,
        )
    with counted() as of_many:
        client.get(PAGE)
    assert len(of_one) == len(of_many)


def test_old_ones_go_where_that_is_set_and_what_waits_stays(users, row, settings):
    settings.RETENTION_NOTIFICATION_DAYS = 30
    now = clock.now()
    Notification.objects.update(created_at=now - timedelta(days=31))
    apply_retention(now=now)
    assert Notification.objects.exists()
    Notification.objects.update(state=NotificationState.NOT_SENT)
    apply_retention(now=now)
    assert not Notification.objects.exists()


def test_the_list_says_what_a_mail_is_about_in_the_words_of_who_oversees_it(users, row):
    client = logged_in_client(users.instructor)
    page = client.get(PAGE, headers={"accept-language": "es"}).content.decode()
    assert ("cambió una calificación" in page, "Creada el" in page) == (True, True)
    assert not any(label in page for label in ("Created at", "Mi calificación"))
    assert list(client.get(PAGE, {"kind": "regraded"}).context["cl"].result_list) == [row]
    assert list(client.get(PAGE, {"kind": "graded"}).context["cl"].result_list) == []
    assert set(KIND_LABELS) == set(NotificationKind.values)
