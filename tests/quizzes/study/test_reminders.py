"""Whoever asks for it is reminded of cards that wait: at an hour, once a day, not for ever."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from quizzes.notifications.access import list_overseen_notifications
from quizzes.notifications.delivery import send_due
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.notifications.preferences import build_token, choose_kinds, list_wanted_kinds
from quizzes.notifications.study_reminders import remind_of_study
from quizzes.study import services
from quizzes.study.models import StudyCard, StudySettings
from tests.factories import NOW
from tests.query_counts import Counted
from tests.quizzes.api.programs import program
from tests.quizzes.notifications.regrades import html_of, send_all
from tests.quizzes.study.helpers import entry, send, study
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db
STUDY = NotificationKind.STUDY
FIVE = NOW.replace(hour=17, minute=0)
"""The hour at which one is reminded who chose no other; the learner's zone is UTC."""


def opt_in(user: User) -> None:
    choose_kinds(user=user, kinds=[*list_wanted_kinds(user), STUDY], now=NOW)


def remind(days: float = 0, hours: float = 0) -> int:
    return remind_of_study(now=FIVE + timedelta(days=days, hours=hours))


def test_nobody_is_reminded_who_has_not_asked_for_it(users, cards):
    assert remind() == 0
    opt_in(users.learner)
    assert remind() == 1
    assert Notification.objects.get().recipient == users.learner


@pytest.mark.parametrize(("hours", "reminded"), [(-0.1, 0), (0, 1), (2.9, 1), (3, 0), (-24, 1)])
def test_the_hour_is_that_of_the_settings(users, cards, hours, reminded):
    opt_in(users.learner)
    assert remind(hours=hours) == reminded


def test_the_hour_is_of_the_clock_of_the_learner(users, cards):
    opt_in(users.learner)
    User.objects.filter(pk=users.learner.pk).update(time_zone="America/Bogota")
    services.save_settings(learner=users.learner, values={"reminder_hour": 7}, now=NOW)
    seven = NOW.astimezone(ZoneInfo("America/Bogota")).replace(hour=7, minute=5)
    assert remind_of_study(now=seven - timedelta(minutes=10)) == 0
    assert remind_of_study(now=seven) == 1


def test_one_is_reminded_once_a_day(users, cards):
    opt_in(users.learner)
    assert [remind(hours=hours) for hours in (0, 0.2, 2)] == [1, 0, 0]
    assert remind(days=1) == 1
    assert Notification.objects.count() == 2


def test_two_sweeps_at_once_write_one_reminder(users, cards, monkeypatch):
    opt_in(users.learner)
    monkeypatch.setattr(
        "quizzes.notifications.study_reminders._is_silent", lambda *arguments: False
    )
    remind()
    remind()
    assert Notification.objects.count() == 1


def test_whoever_has_studied_today_is_left_alone(users, cards):
    opt_in(users.learner)
    send(users.learner, entry(cards[0], at=NOW))
    assert remind() == 0
    assert remind(days=1) == 1


@pytest.mark.parametrize("change", ["suspended", "no deck", "inactive", "other language"])
def test_without_a_card_or_an_account_there_is_nothing_to_say(users, cards, change):
    opt_in(users.learner)
    if change == "suspended":
        StudyCard.objects.update(is_suspended=True)
    if change == "no deck":
        StudyCard.objects.all().delete()
    if change == "inactive":
        User.objects.filter(pk=users.learner.pk).update(is_active=False)
    if change == "other language":
        User.objects.filter(pk=users.learner.pk).update(language="es")
    assert remind() == (change == "other language")


def test_whoever_does_not_come_back_is_reminded_once_a_week(users, cards):
    opt_in(users.learner)
    days = [day for day in range(25) if remind(days=day)]
    assert days == [0, 1, 2, 9, 16, 23]
    back = FIVE + timedelta(days=24, hours=4)
    send(users.learner, entry(cards[0], at=back), now=back)
    assert [day for day in range(25, 30) if remind(days=day)] == [25, 26, 27]


def test_the_mail_says_how_many_cards_wait(users, cards):
    opt_in(users.learner)
    users.learner.language = "es"
    users.learner.save()
    remind()
    message = send_all(FIVE)["learner@example.org"]
    assert message.subject == "[Ochenta] 3 tarjetas te esperan"
    for text in (message.body, html_of(message)):
        assert reverse("study") in text
        assert reverse("study_settings") in text
    assert "unsubscribe" in message.extra_headers["List-Unsubscribe"]


@pytest.mark.parametrize(
    ("change", "hours", "code"),
    [("studied", 0, "no_cards"), ("none", 20, "too_late"), ("opted out", 0, "unwanted")],
)
def test_what_is_over_when_it_is_sent_is_not_sent(users, cards, change, hours, code):
    opt_in(users.learner)
    remind()
    if change == "studied":
        for card in cards:
            send(users.learner, entry(card, rating=4, at=FIVE), now=FIVE)
    if change == "opted out":
        choose_kinds(user=users.learner, kinds=[], now=NOW)
    assert send_due(now=FIVE + timedelta(hours=hours)) == 0
    assert Notification.objects.get().error == code


def test_the_link_in_the_mail_ends_it(users, cards):
    opt_in(users.learner)
    Client().post(reverse("unsubscribe", args=[build_token(users.learner, STUDY)]))
    assert STUDY not in list_wanted_kinds(users.learner)
    assert remind() == 0


def test_the_page_of_settings_says_whether_one_is_reminded(users):
    client = logged_in_client(users.learner)
    assert "You are not reminded now." in client.get(reverse("study_settings")).content.decode()
    opt_in(users.learner)
    assert "You are reminded." in client.get(reverse("study_settings")).content.decode()


def test_a_program_chooses_the_hour(users):
    client = program(users.learner, "attempt")
    answer = client.post("study/settings", {"reminder_hour": 8})
    assert (answer.status_code, answer.json()["reminder_hour"]) == (200, 8)
    assert client.post("study/settings", {"reminder_hour": 24}).status_code == 422


def test_an_hour_is_one_of_the_clock(users):
    settings = StudySettings(learner=users.learner, reminder_hour=24)
    with pytest.raises(IntegrityError), transaction.atomic():
        settings.save()


def test_a_sweep_costs_as_much_for_many_as_for_one(users, deck_bank, cards, counted: Counted):
    opt_in(users.learner)
    with counted() as of_one:
        remind()
    for number in range(10):
        user = create_user(f"student{number}")
        study(user, deck_bank)
        opt_in(user)
    with counted() as of_many:
        assert remind(days=1) == 11
    assert len(of_many) == len(of_one) <= 7


def test_only_administrators_see_reminders_of_study(users, cards):
    opt_in(users.learner)
    remind()
    assert list_overseen_notifications(users.administrator).count() == 1
    assert not list_overseen_notifications(users.instructor).exists()
    url = reverse("admin:notifications_notification_changelist")
    assert logged_in_client(users.administrator).get(url).status_code == 200
