"""The page on which a learner challenges a question."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.challenges.models import Challenge
from quizzes.challenges.services import answer_challenges
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start, take_quiz
from tests.factories import NOW, option_ids
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
QUERIES = 6


def address(attempt: Attempt, number: int = 2) -> str:
    return reverse("challenge", args=[attempt.uuid, number])


@pytest.fixture
def attempt(users: Users, a_quiz: Quiz) -> Attempt:
    return take_quiz(a_quiz, users.learner, {0: "ab", 1: "a"})


@pytest.fixture
def client(users: Users) -> Client:
    return logged_in_client(users.learner)


def test_each_question_of_the_result_leads_there_for_its_learner_alone(users, attempt, client):
    result = reverse("result", args=[attempt.uuid])
    links = re.findall(r'href="([^"]+/challenge)"', client.get(result).content.decode())
    assert links == [address(attempt, number) for number in (1, 2, 3)]
    assert all(client.get(link).status_code == 200 for link in links)
    others = logged_in_client(users.instructor).get(result).content.decode()
    assert "/challenge" not in others


def test_what_was_said_is_kept_and_shown(attempt, client, questions):
    option = option_ids(questions[1], "a")[0]
    posted = {"reason": "key", "option": option, "comment": "<b>Why</b> not a?"}
    response = client.post(address(attempt), posted)
    assert response.url == address(attempt)
    row = Challenge.objects.get()
    assert (row.slot, str(row.option), row.comment) == (1, option, "<b>Why</b> not a?")
    page = client.get(address(attempt)).content.decode()
    assert "&lt;b&gt;Why&lt;/b&gt; not a?" in page
    assert "has not answered yet" in page
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]


def test_what_is_missing_is_named_and_what_was_written_stays(attempt, client):
    response = client.post(address(attempt), {"reason": "", "comment": "Because."})
    assert response.status_code == 422
    assert "Because." in response.content.decode()
    assert not Challenge.objects.exists()


def test_said_twice_it_is_refused(attempt, client):
    posted = {"reason": "other", "comment": "Once."}
    client.post(address(attempt), posted)
    response = client.post(address(attempt), posted)
    assert response.status_code == 409
    assert Challenge.objects.count() == 1


def test_it_is_of_ones_own_graded_attempt(users, a_quiz, attempt, client):
    assert client.get(address(attempt, 9)).status_code == 404
    assert client.get(address(attempt, 0)).status_code == 404
    for person in (users.other_learner, users.instructor):
        assert logged_in_client(person).get(address(attempt)).status_code == 404
    opened = start(a_quiz, users.other_learner)
    assert logged_in_client(users.other_learner).get(address(opened)).status_code == 404


def test_an_answer_waits_for_the_key_unless_it_is_safe(users, a_quiz, client):
    a_quiz.reveal_key = "after_close"
    a_quiz.save()
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    attempt = take_quiz(a_quiz, users.learner, {1: "a"})
    client.post(address(attempt), {"reason": "key", "comment": "Why?"})
    row = Challenge.objects.get()
    for safe in (False, True):
        answer_challenges(
            challenges=[row.uuid],
            by=users.instructor,
            verdict="accepted",
            answer="The key was wrong.",
            safe_before_key=safe,
            now=NOW,
        )
        page = client.get(address(attempt)).content.decode()
        assert ("The key was wrong." in page) is safe
        assert ("Accepted" in page) is safe
        assert ("once the right answers are shown to you" in page) is not safe


def test_before_the_key_is_shown_the_page_is_the_same_whatever_the_key(
    users, a_quiz, questions, client
):
    """Of two questions, one answered right and one wrong, the pages differ in their texts alone."""
    a_quiz.reveal_key = a_quiz.reveal_correctness = "after_close"
    a_quiz.save()
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    pages = []
    for letter in ("a", "b"):
        attempt = take_quiz(a_quiz, users.learner, {1: letter})
        page = client.get(address(attempt)).content.decode()
        main = page.partition("<main")[2].partition("</main>")[0]
        options = sorted(re.findall(r"<option[^>]*>[^<]*</option>", main))
        rest = re.sub(r"<option[^>]*>[^<]*</option>", "", main)
        rest = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", rest)
        pages.append((options, " ".join(rest.replace(str(attempt.uuid), "").split())))
    assert pages[0] == pages[1]


def test_how_many_queries_it_takes(attempt, client, django_assert_num_queries):
    client.get(address(attempt))
    with django_assert_num_queries(QUERIES):
        client.get(address(attempt))
