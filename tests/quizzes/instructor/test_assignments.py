"""Giving quizzes to groups and more time to people: one's own, and nobody else's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Membership, Role
from quizzes.attempts.models import Accommodation, Assignment
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.browser_forms import form_values
from tests.factories import create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

GIVE = "/admin/attempts/assignment/add/"
HELP = "/admin/attempts/accommodation/add/"


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


def sent(client, address: str, **changes):
    data = form_values(client.get(address), "quiz") | {k: str(v) for k, v in changes.items()}
    return client.post(address, data)


def test_a_quiz_is_given_to_a_group_one_teaches(author, users, a_quiz):
    Assignment.objects.all().delete()
    answer = sent(
        author,
        GIVE,
        quiz=a_quiz.pk,
        group=users.group.pk,
        opens_at_0="2030-01-01",
        opens_at_1="9:00",
    )
    assert answer["Location"] == f"/admin/accounts/group/{users.group.pk}/class/"
    page = author.get(answer["Location"]).content.decode()
    assert "Class A has the quiz “A quiz”." in page
    assignment = Assignment.objects.get()
    assert assignment.opens_at is not None
    assert assignment.opens_at > timezone.now()


def test_not_to_another_group(author, users, a_quiz):
    assert sent(author, GIVE, quiz=a_quiz.pk, group=users.other_group.pk).status_code == 200
    assert not Assignment.objects.filter(group=users.other_group).exists()


def test_nor_the_quiz_of_another_group(author, users):
    theirs = Quiz.objects.create(slug="theirs", title={"en": "T"}, group=users.other_group)
    assert sent(author, GIVE, quiz=theirs.pk, group=users.group.pk).status_code == 200
    assert not Assignment.objects.exists()


def test_a_window_closes_after_it_opens(author, users, a_quiz):
    Assignment.objects.all().delete()
    answer = sent(
        author,
        GIVE,
        quiz=a_quiz.pk,
        group=users.group.pk,
        opens_at_0="2030-01-02",
        opens_at_1="9:00",
        closes_at_0="2030-01-01",
        closes_at_1="9:00",
    )
    assert "The assignment must open before it closes." in answer.content.decode()


@pytest.mark.parametrize(
    ("opens", "closes"),
    [("2030-01-01", "9999-12-31"), ("0001-01-01", "2030-01-01")],
    ids=["year 9999", "year 1"],
)
def test_a_window_beyond_all_calendars_is_refused_at_its_field(
    author, users, a_quiz, opens, closes
):
    Assignment.objects.all().delete()
    answer = sent(
        author,
        GIVE,
        quiz=a_quiz.pk,
        group=users.group.pk,
        opens_at_0=opens,
        opens_at_1="9:00",
        closes_at_0=closes,
        closes_at_1="23:59",
    )
    assert "A year from 2000 to 2199." in answer.content.decode()
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    "terms", [{"time_percent": 1001}, {"time_percent": 99}, {"extra_attempts": 10_001}], ids=str
)
def test_an_accommodation_has_bounds(author, users, a_quiz, terms):
    allowed = {"quiz": a_quiz.pk, "learner": users.learner.pk, "time_percent": 150}
    assert sent(author, HELP, **{"extra_attempts": 1, **allowed, **terms}).status_code == 200
    assert not Accommodation.objects.exists()


def test_who_and_what_are_not_changed_afterwards(author, users, a_quiz):
    assignment = Assignment.objects.get()
    address = f"/admin/attempts/assignment/{assignment.pk}/change/"
    data = form_values(author.get(address), "opens_at_0") | {"group": str(users.other_group.pk)}
    assert author.post(address, data).status_code == 302
    assignment.refresh_from_db()
    assert assignment.group == users.group


def test_a_learner_of_ones_own_is_given_more_time(author, users, a_quiz):
    answer = sent(author, HELP, quiz=a_quiz.pk, learner=users.learner.pk, time_percent=150)
    assert answer.status_code == 302
    assert Accommodation.objects.get().time_percent == 150


def test_a_learner_of_ones_own_is_let_in_late(author, users, a_quiz):
    answer = sent(
        author,
        HELP,
        quiz=a_quiz.pk,
        learner=users.learner.pk,
        time_percent=100,
        closes_at_0="2030-05-01",
        closes_at_1="12:00",
    )
    assert answer.status_code == 302
    closes_at = Accommodation.objects.get().closes_at
    assert closes_at is not None
    assert (closes_at.year, closes_at.month, closes_at.day) == (2030, 5, 1)
    assert "2030" in author.get("/admin/attempts/accommodation/").content.decode()


@pytest.mark.parametrize("who", ["stranger", "outsider", "administrator", "instructor"])
def test_nobody_else_is_or_is_named(author, users, a_quiz, who):
    person = getattr(users, who)
    page = author.get(HELP).content.decode()
    assert (
        f'value="{person.pk}"' not in page.partition('name="learner"')[2].partition("</select>")[0]
    )
    answer = sent(author, HELP, quiz=a_quiz.pk, learner=person.pk, time_percent=150)
    assert answer.status_code == 200
    assert not Accommodation.objects.exists()


def test_an_administrator_may_help_anybody(users, a_quiz):
    client = logged_in_client(users.administrator)
    sent(client, HELP, quiz=a_quiz.pk, learner=users.stranger.pk, time_percent=200)
    assert Accommodation.objects.get().learner == users.stranger


def test_what_is_given_to_the_learners_of_others_is_not_seen(users, a_quiz):
    accommodation = Accommodation.objects.create(
        quiz=a_quiz, learner=users.learner, reason="private"
    )
    page = logged_in_client(users.outsider).get("/admin/attempts/accommodation/").content.decode()
    assert "private" not in page
    Membership.objects.create(user=users.learner, group=users.other_group, role=Role.LEARNER)
    address = f"/admin/attempts/accommodation/{accommodation.pk}/change/"
    assert logged_in_client(users.outsider).get(address).status_code == 302, (
        "the quiz is not theirs to read"
    )


def test_the_page_of_a_quiz_says_who_has_it(author, users, a_quiz):
    page = author.get(f"/admin/publishing/quiz/{a_quiz.pk}/change/").content.decode()
    assert "Assigned to" in page
    assert f'href="/admin/attempts/assignment/{Assignment.objects.get().pk}/change/"' in page
    assert f"{GIVE}?quiz={a_quiz.pk}" in page


@pytest.mark.parametrize("model", ["assignment", "accommodation"])
def test_lists_ask_as_often_for_many_as_for_few(author, users, a_quiz, counted, model):
    Accommodation.objects.create(quiz=a_quiz, learner=users.learner)
    address = f"/admin/attempts/{model}/"
    with counted() as few:
        author.get(address)
    for n in range(5):
        quiz = Quiz.objects.create(slug=f"more-{n}", title={"en": "M"}, group=users.group)
        Assignment.objects.create(quiz=quiz, group=users.group)
        Accommodation.objects.create(quiz=quiz, learner=users.other_learner)
    with counted() as many:
        author.get(address)
    assert len(many) == len(few)


def test_more_time_reaches_who_is_at_it_and_that_is_said(author, users, questions):
    of = create_quiz(users, questions, slug="timed", time_limit=60)
    attempt = start(of, users.learner, timezone.now())
    data = {"quiz": of.pk, "learner": users.learner.pk, "time_percent": 150, "extra_attempts": 0}
    answer = author.post(HELP, data, follow=True)
    assert "1 open attempt has more time from now on." in answer.content.decode()
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(minutes=90)


def test_so_does_a_window_that_closes_later(author, users, questions):
    closes = timezone.now() + timedelta(minutes=20)
    of = create_quiz(users, questions, slug="timed", time_limit=60)
    assignment = Assignment.objects.get(quiz=of)
    Assignment.objects.filter(pk=assignment.pk).update(closes_at=closes)
    attempt = start(of, users.learner, timezone.now())
    assert attempt.deadline_at == closes
    address = f"/admin/attempts/assignment/{assignment.pk}/change/"
    answer = author.post(address, {"opens_at_0": "", "opens_at_1": ""}, follow=True)
    assert "has more time" in answer.content.decode()
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(hours=1)
