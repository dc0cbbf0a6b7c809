"""Practice over REST: the same engine as the pages, and no key of what is live."""

from typing import Any

import pytest

from quizzes.attempts.models import Attempt
from quizzes.practice.models import PracticeQuestion, PracticeTry
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_quiz, option_ids
from tests.quizzes.api.programs import Program, program
from tests.quizzes.api.test_secrecy import list_headers, neutral
from tests.quizzes.practice.test_practice import hinted
from tests.quizzes.web.test_secrecy import alone_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(users):
    bank = create_bank(users)
    return [hinted(bank, name) for name in ("first", "second")]


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, slug="practice", mode="practice")


@pytest.fixture
def client(users):
    return program(users.learner, "attempt")


class Steps:
    """The steps of a practice, at the question that it is at."""

    def __init__(self, client: Program, quiz: Any) -> None:
        self.client, self.root = client, f"quizzes/{quiz.uuid}/practice"
        self.question: dict[str, Any] = {}

    def post(self, step: str = "", **body: Any) -> Any:
        if step:
            body = {"question": self.question["id"], **body}
        answer = self.client.post(self.root + step, body)
        if answer.status_code == 200:
            self.question = answer.json()["question"]
        return answer

    def check(self, letter: str, tried: int) -> Any:
        row = PracticeQuestion.objects.get(uuid=self.question["id"])
        chosen = option_ids(row.version.question, letter)
        return self.post("/check", answer={"chosen": chosen}, tried=tried)


@pytest.fixture
def steps(client, quiz):
    return Steps(client, quiz)


def test_a_practice_leads_from_the_first_question_to_the_next(client, quiz, steps):
    assert client.get(steps.root).json() == {"quiz": str(quiz.uuid), "question": None}
    steps.post(after=0)
    assert (steps.question["number"], steps.question["try_count"]) == (1, 3)
    assert steps.question["outcome"] == "unanswered"
    assert len(steps.question["texts"]["parts_html"]) == 4
    steps.check("b", 0)
    assert (steps.question["outcome"], steps.question["is_over"]) == ("incorrect", False)
    assert steps.question["next_worth"]["decimal"] == "0.5"
    assert (steps.question["correct_answer"], steps.question["ledger"]) == (None, [])
    assert steps.question["feedback"]["explanation_html"] == ""
    steps.check("a", 1)
    assert (steps.question["outcome"], steps.question["is_over"]) == ("correct", True)
    assert steps.question["credit"]["decimal"] == "0.5"
    assert steps.question["correct_answer"]
    assert steps.question["ledger"]
    assert "Because" in steps.question["feedback"]["explanation_html"]
    first = steps.question["id"]
    for _ in range(2):  # sent twice, it draws once
        steps.post(after=1)
    assert (steps.question["number"], PracticeQuestion.objects.count()) == (2, 2)
    assert steps.question["id"] != first
    assert client.get(steps.root).json()["question"] == steps.question  # stop, and go on
    assert not Attempt.objects.exists()


def test_what_was_missed_in_an_attempt_comes_first(users, questions, steps):
    exam = create_quiz(users, questions[1:], slug="exam", practice_shows_keys=True)
    attempt = take_quiz(exam, users.learner, {0: "b"})
    assert steps.post(after=0, attempt=str(attempt.uuid)).status_code == 200
    row = PracticeQuestion.objects.get(uuid=steps.question["id"])
    assert row.version.question == questions[1]
    assert steps.post(after=1, attempt="x").status_code == 422


def test_hints_open_one_after_the_other(steps):
    steps.post(after=0)
    assert (steps.question["hint_count"], steps.question["feedback"]["hints_html"]) == (2, [])
    for opened in (0, 0, 1, 2):
        steps.post("/hint", opened=opened)
    assert steps.question["feedback"]["hints_html"] == ["First step", "Second step"]
    assert steps.question["hints_opened"] == 2


def test_the_answer_is_shown_to_who_asks_for_it(steps):
    steps.post(after=0)
    steps.post("/answer")
    assert (steps.question["is_over"], steps.question["next_worth"]) == (True, None)
    assert steps.question["correct_answer"]
    assert steps.question["credit"]["decimal"] == "0"


def test_a_try_sent_twice_counts_once_and_what_cannot_be_read_is_none(steps):
    steps.post(after=0)
    steps.check("b", 0)
    steps.check("c", 0)
    for answer, code in (({}, "unanswered"), ({"chosen": ["x"]}, "unknown_option")):
        refused = steps.post("/check", answer=answer, tried=1)
        assert refused.status_code == 422
        assert refused.json()["code"] == code
    assert PracticeTry.objects.count() == 1


def test_a_question_of_before_or_of_somebody_else_is_left_alone(users, quiz, steps):
    steps.post(after=0)
    before = steps.question
    steps.post("/answer")
    steps.post(after=1)
    current, steps.question = steps.question, before
    steps.check("a", 0)
    assert steps.question == current
    other = Steps(program(users.other_learner, "attempt"), quiz)
    other.question = current
    assert other.post("/answer").json()["question"] is None
    assert not PracticeTry.objects.exists()


def test_what_is_no_practice_is_not_there(users, questions, client):
    exam = create_quiz(users, questions, slug="exam")
    assert client.get(f"quizzes/{exam.uuid}/practice").status_code == 404
    assert client.post(f"quizzes/{exam.uuid}/practice", {"after": 0}).status_code == 404


def walk_live_practice(users, number, right):
    """Yield all that REST says in a practice of a question that an exam may still ask."""
    question = hinted(create_bank(users, f"bank-{number}"), "same", right)
    quiz = create_quiz(
        users, [question], slug=f"practice-{number}", mode="practice", shuffle_options=False
    )
    learner = alone_with(quiz, number)
    exam = create_quiz(users, [question], slug=f"exam-{number}")
    exam.assignments.create(group=learner.memberships.get().group)
    steps = Steps(program(learner, "attempt"), quiz)
    yield steps.client.get(steps.root)
    yield steps.post(after=0)
    yield steps.post("/hint", opened=0)
    yield steps.post("/check", answer={"chosen": ["x"]}, tried=0)
    yield steps.check("b", 0)
    yield steps.check("a", 1)
    yield steps.post("/answer")
    yield steps.client.get(steps.root, lang="es")
    assert steps.question["is_live"]
    yield steps.post(after=1)
    yield steps.post("/answer")


def test_of_a_live_question_no_byte_depends_on_the_key(users):
    """The key flip: the first question's right option is chosen, the second's is not."""
    first, other = (
        [
            neutral(f"{answer.status_code} {list_headers(answer)} {answer.content.decode()}")
            for answer in walk_live_practice(users, number, right)
        ]
        for number, right in enumerate("ab")
    )
    assert first == other
    text = "".join(first)
    assert "First step" in text
    assert "Because" not in text


def test_a_question_costs_as_many_queries_however_many_were_met(client, steps, counted):
    costs = []
    for after in range(3):
        steps.post(after=after)
        steps.post("/answer")
        with counted() as queries:
            client.get(steps.root)
        costs.append(len(queries))
    assert costs[0] == costs[1] == costs[2]
