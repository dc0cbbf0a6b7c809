"""Everybody chooses of what they are written to: on a page, over REST, by the link in a mail."""

import re
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.notifications import preferences
from quizzes.notifications.event_reading import read_events
from quizzes.notifications.models import Notification, NotificationKind, NotificationPreference
from quizzes.notifications.preferences import build_token, list_wanted_kinds
from quizzes.privacy.person_erasure import erase_person
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.quizzes.notifications.regrades import html_of, regrade, send_all
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
GRADED, REGRADED = NotificationKind.GRADED, NotificationKind.REGRADED
DEFAULT = [kind for kind in NotificationKind if kind != NotificationKind.STUDY]


@pytest.fixture
def regraded(users, into):
    question = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], window_attempts=None)
    take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, question, users)


def unsubscribe_page(message):
    """Return the path of the link in a mail, the same in the text, the HTML and the header."""
    (link,) = re.findall(r"Stop mails of this kind: (\S+)", message.body)
    assert f'href="{link}"' in html_of(message)
    assert message.extra_headers["List-Unsubscribe"] == f"<{link}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return urlsplit(link).path


def test_one_is_notified_of_all_but_study_until_one_says_otherwise(users):
    client = logged_in_client(users.learner)
    assert client.get(reverse("notifications")).content.count(b"checked") == len(DEFAULT)
    response = client.post(reverse("notifications"), {"kinds": [GRADED]})
    assert response.status_code == 302
    assert list_wanted_kinds(users.learner) == [GRADED]
    assert list_wanted_kinds(users.other_learner) == DEFAULT
    assert client.get(reverse("notifications")).content.count(b"checked") == 1
    client.post(reverse("notifications"), {})
    assert list_wanted_kinds(users.learner) == []
    assert client.post(reverse("notifications"), {"kinds": ["other"]}).status_code == 422
    changes = AuditEvent.objects.filter(code=AuditCode.NOTIFICATIONS_CHANGED)
    assert [event.actor for event in changes] == [users.learner.uuid] * 2


def test_what_is_not_wanted_is_neither_written_nor_sent(users, regraded):
    read_events(now=NOW)
    NotificationPreference.objects.create(
        user=users.learner, kind=REGRADED, is_wanted=False, created_at=NOW
    )
    assert send_all() == {}
    assert Notification.objects.get().error == "unwanted"


def test_of_what_is_not_wanted_there_is_no_row(users, regraded):
    NotificationPreference.objects.create(
        user=users.learner, kind=REGRADED, is_wanted=False, created_at=NOW
    )
    assert send_all() == {}
    assert not Notification.objects.exists()


def test_the_link_in_a_mail_asks_first_and_ends_its_kind_alone(users, regraded):
    page = unsubscribe_page(send_all()["learner@example.org"])
    question = Client().get(page)
    assert question.status_code == 200
    assert "My score has changed" in question.content.decode()
    assert users.learner.email not in question.content.decode()
    assert list_wanted_kinds(users.learner) == DEFAULT
    done = Client().post(page)
    assert done.status_code == 200
    assert REGRADED not in list_wanted_kinds(users.learner)
    assert len(list_wanted_kinds(users.learner)) == len(DEFAULT) - 1
    assert Client().post(page).status_code == 200
    event = AuditEvent.objects.get(code=AuditCode.NOTIFICATIONS_CHANGED)
    assert (event.actor, event.subject) == (None, users.learner.uuid)


def test_a_mail_program_unsubscribes_without_cookies_or_a_token_of_the_page(users, regraded):
    page = unsubscribe_page(send_all()["learner@example.org"])
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert REGRADED not in list_wanted_kinds(users.learner)


@pytest.mark.parametrize("who", ["learner", "instructor", "administrator", "stranger"])
def test_whoever_is_signed_in_changes_the_person_of_the_link(users, who):
    client = logged_in_client(getattr(users, who))
    assert client.post(reverse("unsubscribe", args=[build_token(users.learner, GRADED)])).context
    assert list_wanted_kinds(users.learner) != DEFAULT
    if who != "learner":
        assert list_wanted_kinds(getattr(users, who)) == DEFAULT


@pytest.mark.parametrize("change", [lambda t: t[:-1] + "~", lambda t: t.replace("graded", "other")])
def test_a_link_that_is_not_ours_is_not_there(users, change):
    url = reverse("unsubscribe", args=[change(build_token(users.learner, GRADED))])
    assert (Client().get(url).status_code, Client().post(url).status_code) == (404, 404)
    assert not NotificationPreference.objects.exists()


def test_the_link_takes_back_no_choice_that_another_made_while_it_waited(users, monkeypatch):
    lock = preferences.lock_wanted_kinds

    def lock_after_another(user):
        NotificationPreference.objects.get_or_create(
            user=user, kind=REGRADED, is_wanted=False, created_at=NOW
        )
        return lock(user)

    monkeypatch.setattr(preferences, "lock_wanted_kinds", lock_after_another)
    Client().post(reverse("unsubscribe", args=[build_token(users.learner, GRADED)]))
    assert not {GRADED, REGRADED} & {*list_wanted_kinds(users.learner)}


def test_the_link_of_an_erased_person_looks_like_any_other(users):
    token = build_token(users.stranger, GRADED)
    erase_person(person=users.stranger, by=users.administrator, now=NOW)
    assert Client().post(reverse("unsubscribe", args=[token])).status_code == 200
    assert not NotificationPreference.objects.exists()


def test_a_program_chooses_for_its_person(users):
    client = program(users.learner, "personal_data")
    assert client.get("me/notifications").json() == {"kinds": DEFAULT}
    answer = client.post("me/notifications", {"kinds": ["regraded", "graded"]})
    assert (answer.status_code, answer.json()) == (200, {"kinds": ["graded", "regraded"]})
    assert client.post("me/notifications", {"kinds": ["other"]}).status_code == 422
    assert client.post("me/notifications", {"kinds": []}).json() == {"kinds": []}
    assert mail.outbox == []
