"""How many statements a page may cost, whatever the number of questions, attempts or quizzes."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.models import Attempt, State
from quizzes.lib import clock
from quizzes.results.services import finish
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.question_factory import document, publish_document, samples
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [2, 30]


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture
def long_quiz(users, size):
    into = create_bank(users)
    questions = [create_question(into, f"q{number}", right="ab") for number in range(size)]
    return create_quiz(users, questions, max_attempts=9)


@pytest.fixture
def taking(users, long_quiz):
    """A learner at work; every page was seen once, so that frozen things are known."""
    attempt = services.start(quiz=long_quiz.uuid, learner=users.learner, now=clock.now())
    client = logged_in_client(users.learner)
    assert client.get(reverse("attempt", args=[attempt.uuid])).status_code == 200
    return client, attempt


def answer(long_quiz, slots) -> str:
    questions = [slot.question for slot in long_quiz.sections.get().slots.order_by("position")]
    saves = [
        {
            "slot": slot,
            "answer": {"chosen": option_ids(questions[slot], "a", "c")},
            "idempotency_key": str(uuid4()),
            "base_revision": 0,
        }
        for slot in slots
    ]
    return json.dumps({"saves": saves})


def test_a_start_costs_at_most_six_and_a_later_one_seven(users, long_quiz, counted):
    services.start(quiz=long_quiz.uuid, learner=users.other_learner, now=clock.now())
    client = logged_in_client(users.learner)
    for most in (6, 7):
        with counted() as queries:
            assert client.post(reverse("start", args=["quiz"])).status_code == 302
        assert len(queries) <= most, queries
        attempt = Attempt.objects.get(learner=users.learner, state=State.OPEN)
        finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())


def test_the_page_of_an_attempt_costs_at_most_four(taking, long_quiz, size, counted):
    client, attempt = taking
    url = reverse("save", args=[attempt.uuid])
    body = answer(long_quiz, range(size))
    assert client.post(url, body, content_type="application/json").status_code == 200
    for name in ("attempt", "review"):
        with counted() as queries:
            assert client.get(reverse(name, args=[attempt.uuid])).status_code == 200
        assert len(queries) <= 4, queries


def test_a_save_costs_at_most_four(taking, long_quiz, size, counted):
    client, attempt = taking
    for slots in ([0], range(1, size)):
        body = answer(long_quiz, slots)
        with counted() as queries:
            url = reverse("save", args=[attempt.uuid])
            assert client.post(url, body, content_type="application/json").status_code == 200
        assert len(queries) <= 4, queries


def test_submitting_costs_at_most_nine_and_the_result_six(taking, long_quiz, size, counted, users):
    client, attempt = taking
    url = reverse("save", args=[attempt.uuid])
    client.post(url, answer(long_quiz, range(size)), content_type="application/json")
    warm(users, long_quiz)
    with counted() as queries:
        assert client.post(reverse("submit", args=[attempt.uuid])).status_code == 302
    assert len(queries) <= 9, queries
    with counted() as queries:
        assert client.get(reverse("result", args=[attempt.uuid])).status_code == 200
    # The sixth: the tags of the questions, and which practice asks what was missed.
    assert len(queries) <= 6, queries


def warm(users, long_quiz) -> None:
    """Let another learner be graded first, so that keys and feedback have been read."""
    other = services.start(quiz=long_quiz.uuid, learner=users.other_learner, now=clock.now())
    finish(attempt=other.uuid, learner=users.other_learner, now=clock.now())


def test_every_kind_once_costs_no_more_than_one_kind_often(users, counted):
    into, kind_samples = create_bank(users), samples()
    questions = [
        publish_document(into, f"q{n}", document(sample)) for n, sample in enumerate(kind_samples)
    ]
    quiz = create_quiz(users, questions, max_attempts=9)
    warm(users, quiz)
    attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    client = logged_in_client(users.learner)
    client.get(reverse("attempt", args=[attempt.uuid]))
    saves = [
        {"slot": slot, "answer": sample.readable[0].raw, "idempotency_key": str(uuid4())}
        for slot, sample in enumerate(kind_samples)
    ]
    with counted() as saved:
        url = reverse("save", args=[attempt.uuid])
        sent = client.post(url, json.dumps({"saves": saves}), content_type="application/json")
        assert sent.status_code == 200
    with counted() as queries:
        assert client.get(reverse("attempt", args=[attempt.uuid])).status_code == 200
    with counted() as submitted:
        assert client.post(reverse("submit", args=[attempt.uuid])).status_code == 302
    with counted() as looked_back:
        assert client.get(reverse("result", args=[attempt.uuid])).status_code == 200
    costs = [len(statements) for statements in (saved, queries, submitted, looked_back)]
    assert all(cost <= most for cost, most in zip(costs, (4, 4, 9, 6), strict=True)), costs


@pytest.mark.parametrize("name", ["home", "history"])
def test_lists_cost_the_same_however_long_they_are(users, counted, name):
    into = create_bank(users)
    question = create_question(into, "one")
    client, costs = logged_in_client(users.learner), []
    for number in range(1, 9):
        quiz = create_quiz(users, [question], slug=f"quiz-{number}")
        attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
        if number % 2:
            finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
        if number in {2, 8}:
            client.get(reverse(name))
            with counted() as queries:
                assert client.get(reverse(name)).status_code == 200
            costs.append(len(queries))
    assert costs[0] == costs[1] <= 9


def test_the_page_before_a_quiz_costs_the_same_after_many_attempts(users, counted):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")], window_attempts=None)
    client, costs = logged_in_client(users.learner), []
    for number in range(6):
        attempt = services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
        finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
        if number in {0, 5}:
            client.get(reverse("intro", args=["quiz"]))
            with counted() as queries:
                assert client.get(reverse("intro", args=["quiz"])).status_code == 200
            costs.append(len(queries))
    assert costs[0] == costs[1] <= 7
