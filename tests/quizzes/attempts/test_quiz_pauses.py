"""A pause for everybody: who has not begun does not begin while somebody is paused."""

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Assignment, Attempt, QuizPause
from quizzes.attempts.pauses import pause_attempts, pause_quiz, resume_attempts
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import later, start
from tests.factories import NOW, create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(users, questions) -> Quiz:
    return create_quiz(users, questions, time_limit=60)


def pause(quiz: Quiz, by, minutes: int = 30) -> int:
    return pause_quiz(quiz=quiz, minutes=minutes, reason="Fire alarm", by=by, now=later(minutes=5))


def test_nobody_begins_until_it_goes_on(users, timed):
    start(timed, users.learner)
    assert pause(timed, users.instructor) == 1
    with pytest.raises(Refused, match="paused") as refused:
        start(timed, users.other_learner, later(minutes=6))
    assert refused.value.detail["available_at"] == later(minutes=35)
    at = {"by": users.instructor, "now": later(minutes=10)}
    assert resume_attempts(attempts=Attempt.objects.all(), **at) == 1
    assert start(timed, users.other_learner, later(minutes=11)).paused_until is None


def test_it_ends_by_itself_with_the_longest_it_can_be(users, timed):
    start(timed, users.learner)
    pause(timed, users.instructor)
    assert start(timed, users.other_learner, later(minutes=36)).number == 1


def test_who_is_in_it_goes_on_with_the_attempt(users, timed):
    attempt = start(timed, users.learner)
    pause(timed, users.instructor)
    assert start(timed, users.learner, later(minutes=6)) == attempt


def test_a_pause_of_some_holds_up_nobody(users, timed):
    start(timed, users.learner)
    chosen, now = Attempt.objects.all(), later(minutes=5)
    pause_attempts(attempts=chosen, minutes=30, reason="A fit", by=users.instructor, now=now)
    assert start(timed, users.other_learner, later(minutes=6)).number == 1


def test_a_pause_holds_up_the_learners_of_its_instructor_alone(users, timed):
    Assignment.objects.create(quiz=timed, group=users.other_group)
    Membership.objects.create(group=users.other_group, user=users.stranger)
    start(timed, users.stranger)
    pause(timed, users.outsider)
    assert start(timed, users.learner, later(minutes=6)).number == 1


def test_paused_twice_the_later_end_holds(users, timed):
    start(timed, users.learner)
    pause(timed, users.instructor, 10)
    assert pause(timed, users.instructor, 60) == 0
    assert QuizPause.objects.count() == 1
    assert start(timed, users.other_learner, later(minutes=16)).number == 1


def test_who_teaches_nobody_there_pauses_nothing(users, timed):
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    for person in (users.stranger, users.learner, users.outsider):
        with pytest.raises(NotFound):
            pause(timed, person)
    with pytest.raises(Invalid):
        pause(timed, users.instructor, 0)
    assert not QuizPause.objects.exists()


def test_a_start_asks_once_more_and_only_where_it_is_paused(users, timed, counted):
    with counted() as statements:
        start(timed, users.learner)
    assert sum("quizpause" in statement for statement in statements) == 1
    assert later(minutes=1) > NOW


def test_pages_and_programs_say_it(users, timed):
    start(timed, users.learner, clock.now())
    body = {"minutes": 10, "reason": "Fire alarm"}
    progress = f"quizzes/{timed.uuid}/progress"
    assert program(users.instructor).post(f"{progress}/pause", body).json() == {"attempts": 1}
    answer = program(users.other_learner).post("attempts", {"quiz": str(timed.uuid)})
    assert (answer.status_code, answer.json()["code"]) == (409, "paused")
    client = logged_in_client(users.other_learner)
    page = client.post(f"/quizzes/{timed.slug}/start", follow=True).content.decode()
    assert "Your instructor has paused this quiz" in page
    url = f"/admin/attempts/attempt/progress/{timed.uuid}/pause/"
    asked_page = logged_in_client(users.instructor).post(url).content.decode()
    assert "Nobody begins the quiz meanwhile." in asked_page
