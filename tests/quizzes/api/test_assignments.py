"""Quizzes of classes, and what somebody has at one of them, over REST."""

from datetime import timedelta

import pytest

from quizzes.attempts.models import Accommodation, Assignment
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from tests.factories import create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db
LATER = "2031-05-12T18:00:00Z"


@pytest.fixture
def author(users):
    return program(users.instructor)


@pytest.fixture
def quiz(users, questions):
    """A quiz that no class has yet."""
    quiz = create_quiz(users, questions, slug="exam")
    quiz.assignments.all().delete()
    return quiz


@pytest.fixture
def address(users, quiz):
    return f"classes/{users.group.uuid}/assignments/{quiz.uuid}"


def test_a_quiz_is_given_to_a_class_and_its_window_changed(users, author, quiz, address):
    window = {"opens_at": "2030-05-12T16:00:00+02:00", "closes_at": LATER}
    assert author.get(address).status_code == 404
    answer = author.post(address, window)
    assert answer.status_code == 200
    assert answer.json() == {
        "quiz": str(quiz.uuid),
        "slug": "exam",
        "opens_at": "2030-05-12T14:00:00.000000Z",
        "closes_at": "2031-05-12T18:00:00.000000Z",
    }
    assert author.get(address).json() == answer.json()
    assert author.post(address, {}).json()["closes_at"] is None
    assert Assignment.objects.filter(quiz=quiz, group=users.group).count() == 1
    assert AuditEvent.objects.filter(code="assignment_changed").count() == 2


def test_the_quizzes_of_a_class_are_listed_in_pages(users, author, quiz, address, questions):
    create_quiz(users, questions, slug="second")
    author.post(address, {})
    root = f"classes/{users.group.uuid}/assignments"
    first = author.get(root, limit=1).json()
    second = author.get(root, cursor=first["cursor"]).json()
    assert [item["slug"] for item in (*first["items"], *second["items"])] == ["second", "exam"]
    assert second["next"] is None


@pytest.mark.parametrize(
    "window",
    [
        {"opens_at": LATER, "closes_at": LATER},
        {"opens_at": "2030-05-12T16:00:00"},
        {"closes_at": "9999-05-12T16:00:00Z"},
        {"closes_at": 5},
        {"more": 1},
    ],
)
def test_a_window_that_is_none_is_refused_and_nothing_written(author, address, window):
    assert author.post(address, window).status_code == 422
    assert author.get(address).status_code == 404


def test_only_ones_own_class_and_a_quiz_that_one_may_read(users, quiz, address):
    for person in (users.outsider, users.learner):
        assert program(person).post(address, {}).status_code == 404
    strange = f"classes/{users.other_group.uuid}/assignments/{quiz.uuid}"
    assert program(users.instructor).post(strange, {}).status_code == 404
    assert program(users.outsider).post(strange, {}).status_code == 404
    assert not Assignment.objects.filter(quiz=quiz).exists()


def test_more_time_attempts_and_a_later_closing_at_one_quiz(users, author, quiz):
    address = f"quizzes/{quiz.uuid}/accommodations/{users.learner.uuid}"
    nothing = author.get(address).json()
    assert (nothing["time_percent"], nothing["extra_attempts"], nothing["closes_at"]) == (
        100,
        0,
        None,
    )
    posted = {"time_percent": 150, "extra_attempts": 2, "closes_at": LATER, "reason": "Came late."}
    answer = author.post(address, posted)
    assert answer.status_code == 200
    assert author.get(address).json() == answer.json()
    row = Accommodation.objects.get(quiz=quiz, learner=users.learner)
    assert (row.time_percent, row.extra_attempts, row.reason) == (150, 2, "Came late.")
    assert author.post(address, {}).json()["time_percent"] == 100
    assert Accommodation.objects.get() == row
    for person in (users.outsider, users.learner):
        assert program(person).get(address).status_code == 404


def test_who_came_late_is_let_in_by_a_closing_time_of_their_own(users, author, quiz):
    closed = clock.now() - timedelta(minutes=1)
    author.post(
        f"classes/{users.group.uuid}/assignments/{quiz.uuid}",
        {"closes_at": f"{closed:%Y-%m-%dT%H:%M:%SZ}"},
    )
    learner = program(users.learner)
    assert learner.post("attempts", {"quiz": str(quiz.uuid)}).status_code == 409
    author.post(f"quizzes/{quiz.uuid}/accommodations/{users.learner.uuid}", {"closes_at": LATER})
    assert learner.post("attempts", {"quiz": str(quiz.uuid)}).status_code == 201
