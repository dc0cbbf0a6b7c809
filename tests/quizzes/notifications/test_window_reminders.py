"""Learners of a class are told a day before a quiz opens or closes, if it concerns them."""

from datetime import datetime, timedelta

import pytest

from accounts.models import Group, Membership
from quizzes.attempts.models import Accommodation, Assignment
from quizzes.notifications.delivery import send_due
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.notifications.window_reminders import remind_of_windows
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import later, start, take_quiz
from tests.factories import NOW, create_quiz
from tests.query_counts import Counted
from tests.quizzes.notifications.regrades import html_of, send_all
from tests.users import create_user

pytestmark = pytest.mark.django_db
OPENS, CLOSES = NotificationKind.OPENS_SOON, NotificationKind.CLOSES_SOON


def move(quiz, opens_at=None, closes_at=None):
    Assignment.objects.filter(quiz=quiz).update(opens_at=opens_at, closes_at=closes_at)


def remind(now: datetime = NOW) -> list[tuple[str, str]]:
    """Return who is told of what by a sweep, as name and kind."""
    before = set(Notification.objects.values_list("pk", flat=True))
    remind_of_windows(now=now)
    rows = Notification.objects.exclude(pk__in=before).select_related("recipient")
    return sorted((row.recipient.name, row.kind) for row in rows)


BOTH_OPEN = [("Learner", OPENS), ("Other_Learner", OPENS)]
BOTH_CLOSE = [("Learner", CLOSES), ("Other_Learner", CLOSES)]


@pytest.mark.parametrize(
    ("opens_in", "closes_in", "told_of"),
    [
        (24, None, BOTH_OPEN),
        (25, None, []),
        (1, 3, BOTH_OPEN),
        (-30, 24, BOTH_CLOSE),
        (None, 1, BOTH_CLOSE),
        (-30, 25, []),
        (-30, 0, []),
        (-1, 2, []),  # its opening said when it closes
    ],
)
def test_learners_are_told_within_a_day_and_once(a_quiz, opens_in, closes_in, told_of):
    move(
        a_quiz,
        None if opens_in is None else later(hours=opens_in),
        None if closes_in is None else later(hours=closes_in),
    )
    assert remind() == told_of
    assert remind(later(minutes=10)) == []


def test_a_time_that_was_moved_is_told_anew(a_quiz):
    move(a_quiz, later(hours=5))
    assert remind() == BOTH_OPEN
    move(a_quiz, later(hours=6))
    assert remind() == BOTH_OPEN


def test_whoever_has_handed_in_is_not_reminded_and_who_has_begun_only_of_the_end(users, a_quiz):
    take_quiz(a_quiz, users.learner, {0: "a"})
    start(a_quiz, users.other_learner)
    move(a_quiz, NOW - timedelta(days=3), later(hours=5))
    assert remind() == [("Other_Learner", CLOSES)]
    move(a_quiz, later(hours=5))
    assert remind() == []


@pytest.mark.parametrize(
    ("terms", "closes_in"), [({"closes_at": later(hours=40)}, 40), ({"time_percent": 200}, 30)]
)
def test_more_time_and_a_closing_of_their_own_count(users, questions, terms, closes_in):
    quiz = create_quiz(users, questions, time_limit=600)
    Accommodation.objects.create(quiz=quiz, learner=users.learner, **terms)
    move(quiz, NOW - timedelta(days=3), later(hours=20))
    assert remind() == [("Other_Learner", CLOSES)]
    assert remind(later(hours=closes_in - 3)) == [("Learner", CLOSES)]
    row = Notification.objects.get(recipient=users.learner)
    assert row.data == {"closes_at": later(hours=closes_in).isoformat()}


@pytest.mark.parametrize("change", ["retired", "archived", "left", "unconfirmed"])
def test_nobody_is_told_of_a_quiz_that_is_not_theirs(users, a_quiz, change):
    move(a_quiz, later(hours=5))
    if change == "retired":
        Quiz.objects.update(retired_at=NOW)
    if change == "archived":
        Group.objects.filter(pk=users.group.pk).update(archived_at=NOW)
    if change == "left":
        Membership.objects.filter(group=users.group).delete()
    if change == "unconfirmed":
        users.group.people.update(confirmed_email="")
    assert remind() == []


def test_a_window_of_another_class_that_is_open_needs_no_reminder_of_the_opening(users, a_quiz):
    move(a_quiz, later(hours=5))
    Membership.objects.create(group=users.other_group, user=users.learner)
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert remind() == [("Other_Learner", OPENS)]


def test_the_mail_has_the_times_in_the_persons_zone_and_language(users, a_quiz):
    users.other_learner.language, users.other_learner.time_zone = "es", "Europe/Madrid"
    users.other_learner.save()
    move(a_quiz, later(hours=5), later(hours=7))
    remind_of_windows(now=NOW)
    mails = send_all()
    assert len(mails) == 2
    english, spanish = mails["learner@example.org"], mails["other_learner@example.org"]
    assert english.subject == "[Ochenta] “A quiz” opens soon"
    assert spanish.subject == "[Ochenta] «Un examen» abre pronto"
    for text in (english.body, html_of(english)):
        assert "21 Nov 2026, 17:00 UTC" in text
        assert "21 Nov 2026, 19:00 UTC" in text
        assert "/quizzes/quiz/" in text
    assert "21 nov 2026, 18:00 CET (Europe/Madrid)" in spanish.body.replace("Nov", "nov")
    assert "List-Unsubscribe" in spanish.extra_headers


@pytest.mark.parametrize(
    ("when", "code"), [("late", "too_late"), ("done", "handed_in"), ("left", "quiz_gone")]
)
def test_what_is_over_when_it_is_sent_is_not_sent(users, a_quiz, when, code):
    move(a_quiz, NOW - timedelta(days=3), later(hours=5))
    remind_of_windows(now=NOW)
    Notification.objects.exclude(recipient=users.learner).delete()
    if when == "done":
        take_quiz(a_quiz, users.learner, {0: "a"})
    if when == "left":
        Membership.objects.filter(user=users.learner).delete()
    assert send_due(now=later(hours=6) if when == "late" else NOW) == 0
    assert Notification.objects.get().error == code


def test_a_sweep_costs_as_much_for_many_learners_as_for_two(users, a_quiz, counted: Counted):
    move(a_quiz, later(hours=5))
    with counted() as of_two:
        remind_of_windows(now=NOW)
    for number in range(20):
        Membership.objects.create(group=users.group, user=create_user(f"learner{number}"))
    with counted() as of_many:
        remind_of_windows(now=NOW)
    assert len(of_two) == len(of_many) == 9
