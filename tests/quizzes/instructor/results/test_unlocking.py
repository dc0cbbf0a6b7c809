"""Whose sign-in is locked, on the page of a running quiz, and unlocking it there and over REST."""

import pytest
from django.utils import timezone

from accounts.login_throttle import MAX_ATTEMPTS, account_key, consume_attempt
from accounts.models import FailedLogins, Membership, Role, User
from quizzes.attempts.quiz_progress import load_quiz_progress
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.instructor.results.progress_page import LEARNERS_PER_PAGE
from quizzes.lib import clock
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(users, questions) -> Quiz:
    return create_quiz(users, questions, slug="timed", time_limit=60)


def lock(user: User) -> None:
    for _ in range(MAX_ATTEMPTS):
        consume_attempt(key=account_key(user.email), now=timezone.now(), user=user)


def press(person: User, quiz: Quiz, learner: User) -> int:
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/unlock/"
    return logged_in_client(person).post(url, {"unlock": str(learner.uuid)}).status_code


def test_the_page_says_whose_sign_in_is_locked_and_unlocks_it(users, quiz):
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/"
    client = logged_in_client(users.instructor)
    assert "sign-in locked" not in client.get(url).content.decode()
    lock(users.learner)
    page = client.get(url).content.decode()
    assert page.count("sign-in locked") == 1
    assert f'value="{users.learner.uuid}"' in page
    answer = client.post(f"{url}unlock/", {"unlock": str(users.learner.uuid)}, follow=True)
    assert "can sign in again." in answer.content.decode()
    assert "sign-in locked" not in answer.content.decode()
    assert not FailedLogins.objects.filter(user=users.learner).exists()
    assert AuditEvent.objects.filter(code=AuditCode.SIGN_IN_UNLOCKED).count() == 1


def test_a_long_room_has_pages_and_whose_sign_in_is_locked_is_on_the_first(users, quiz, counted):
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/"
    client = logged_in_client(users.instructor)
    client.get(url)
    with counted() as few:
        assert "own-pages" not in client.get(url).content.decode()
    people = User.objects.bulk_create(
        User(email=address, confirmed_email=address, name=f"P {number:02}")
        for number in range(LEARNERS_PER_PAGE)
        if (address := f"p{number:02}@example.org")
    )
    Membership.objects.bulk_create(Membership(group=users.group, user=each) for each in people)
    lock(people[-1])
    with counted() as many:
        first = client.get(url).content.decode()
    assert len(many) == len(few)
    assert first.count('<th scope="row">') == LEARNERS_PER_PAGE
    assert first.index("P 49") < first.index("P 00")
    assert 'href="?page=2"' in first
    assert "?rows&amp;page=2" in client.get(url, {"page": 2}).content.decode()
    rows = client.get(f"{url}?rows&page=2").content.decode()
    assert "P 48" in rows
    assert "P 49" not in rows


def test_assistants_unlock_and_nobody_else_does(users, quiz):
    lock(users.learner)
    for person in (users.outsider, users.other_learner):
        assert press(person, quiz, users.learner) == 404
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assert press(users.outsider, quiz, users.learner) == 302
    assert not FailedLogins.objects.filter(user=users.learner).exists()


def test_who_is_not_overseen_is_not_unlocked(users, quiz):
    lock(users.stranger)
    assert press(users.instructor, quiz, users.stranger) == 404
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/unlock/"
    client = logged_in_client(users.instructor)
    assert client.post(url, {"unlock": "nobody"}).status_code == 404
    assert client.get(url).status_code == 405


def test_it_costs_a_query_however_many_there_are(users, quiz, counted):
    start(quiz, users.learner, clock.now())
    with counted() as statements:
        load_quiz_progress(quiz=quiz, viewer=users.instructor, now=clock.now())
    lock(users.learner)
    lock(users.other_learner)
    with counted() as of_locked:
        rows = load_quiz_progress(quiz=quiz, viewer=users.instructor, now=clock.now())
    assert len(statements) == len(of_locked) == 7
    assert sum(row.locked_until is not None for row in rows) == 2


def test_programs_read_it_and_unlock(users, quiz):
    lock(users.learner)
    client = program(users.instructor)
    rows = client.get(f"quizzes/{quiz.uuid}/progress").json()["items"]
    assert sum(row["locked_until"] is not None for row in rows) == 1
    body = {"person": str(users.learner.uuid)}
    assert client.post(f"quizzes/{quiz.uuid}/progress/unlock", body).status_code == 204
    assert not FailedLogins.objects.filter(user=users.learner).exists()
    stranger = {"person": str(users.stranger.uuid)}
    assert client.post(f"quizzes/{quiz.uuid}/progress/unlock", stranger).status_code == 404
