"""The actions on the page of a running quiz: for who is chosen, or for everybody."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.attempts.rules import is_paused
from quizzes.lib import clock
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

ALL = {"for": "all"}


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, slug="timed", time_limit=60)


@pytest.fixture
def attempts(users, quiz) -> list[Attempt]:
    return [start(quiz, learner, clock.now()) for learner in (users.learner, users.other_learner)]


def act(person, quiz, action: str, **fields) -> str:
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/{action}/"
    response = logged_in_client(person).post(url, fields, follow=True)
    return f"{response.status_code} {response.content.decode()}"


def count_paused() -> int:
    now = clock.now()
    return sum(is_paused(attempt.paused_until, now) for attempt in Attempt.objects.all())


def test_whoever_chooses_nobody_pauses_everybody_and_ends_it(users, quiz, attempts):
    page = act(users.instructor, quiz, "pause")
    assert "The time of 2 attempts stands still" in page
    assert "everybody who is in it now" in page
    assert "Pause for all 2 in it</button>" in page
    assert "This field is required" in act(users.instructor, quiz, "pause", minutes="30", **ALL)
    page = act(users.instructor, quiz, "pause", minutes="30", reason="Fire alarm", **ALL)
    assert "2 attempts are paused" in page
    assert "mark-paused" in page
    assert count_paused() == 2
    assert "The time of 2 attempts goes on" in act(users.instructor, quiz, "resume", **ALL)
    assert count_paused() == 0


def test_what_does_not_say_that_it_is_for_everybody_is_asked_first(users, quiz, attempts):
    fields = {"minutes": "30", "reason": "Fire alarm"}
    assert "Pause for all 2 in it</button>" in act(users.instructor, quiz, "pause", **fields)
    assert count_paused() == 0
    act(users.instructor, quiz, "pause", **fields, **ALL)
    page = act(users.instructor, quiz, "resume")
    assert "The time of 2 attempts goes on." in page
    assert "End the pause for all 2 in it</button>" in page
    assert count_paused() == 2


def test_a_choice_that_is_gone_does_not_become_everybody(users, quiz, attempts):
    fields = {"minutes": "30", "reason": "Fire alarm", "for": "chosen"}
    page = act(users.instructor, quiz, "pause", **fields)
    assert "None of those you chose is in it any more" in page
    assert count_paused() == 0


def test_whoever_is_chosen_is_paused_alone(users, quiz, attempts):
    chosen = [attempts[0].pk]
    page = act(users.instructor, quiz, "pause", attempt=chosen)
    assert "Learner · A quiz" in page
    assert "Pause for the one chosen</button>" in page
    act(users.instructor, quiz, "pause", attempt=chosen, minutes="30", reason="A fit")
    assert count_paused() == 1


def test_more_time_for_everybody_leads_back_to_the_page(users, quiz, attempts):
    page = act(users.instructor, quiz, "extend_time", minutes="10", reason="Late start", **ALL)
    assert "2 attempts have more time" in page
    assert "In progress" in page
    for attempt in attempts:
        before = attempt.deadline_at
        attempt.refresh_from_db()
        assert attempt.deadline_at == before + timedelta(minutes=10)


@pytest.mark.parametrize("role", ["outsider", "learner", "stranger"])
def test_others_pause_nobody(users, quiz, attempts, role):
    act(getattr(users, role), quiz, "pause", minutes="30", reason="spite")
    assert count_paused() == 0


def test_an_assistant_pauses_nobody(users, quiz, attempts):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    page = act(
        users.outsider, quiz, "pause", attempt=[attempts[0].pk], minutes="30", reason="kindness"
    )
    assert "Only those who teach a learner can pause" in page
    assert count_paused() == 0


def test_an_action_that_is_none_and_a_page_that_is_only_looked_at_do_nothing(users, quiz):
    assert act(users.instructor, quiz, "destroy").startswith("404")
    url = f"/admin/attempts/attempt/progress/{quiz.uuid}/pause/"
    assert logged_in_client(users.instructor).get(url).status_code == 405


def test_a_message_goes_to_everybody_and_is_shown_as_text(users, quiz, attempts):
    assert "2 learners read it within 15 seconds" in act(users.instructor, quiz, "message")
    text = "Question 2: <b>all</b> of them"
    page = act(users.instructor, quiz, "message", text=text, **ALL)
    assert "The message is sent to 2 learners" in page
    learner = logged_in_client(users.learner)
    for name in ("attempt", "review"):
        page = learner.get(reverse(name, args=[attempts[0].uuid])).content.decode()
        assert "Question 2: &lt;b&gt;all&lt;/b&gt; of them" in page
    answer = learner.get(reverse("clock", args=[attempts[0].uuid])).json()
    assert "&lt;b&gt;all&lt;/b&gt;" in answer["messages"]
