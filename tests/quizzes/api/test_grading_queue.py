"""Marking by hand over REST: what waits, its rubric, and answers without their authors."""

import pytest

from accounts.models import Membership, Role
from quizzes.audit.models import AuditEvent
from quizzes.results import grading_queue
from tests.essay_factory import TEXT, attempt_with_essay, create_essay
from tests.factories import create_bank, create_quiz
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db
LEVELS = {"idea": "idea-1", "form": "form-1"}


@pytest.fixture
def essay(users):
    return create_essay(create_bank(users), graders=2)


@pytest.fixture
def quiz(users, essay):
    quiz = create_quiz(users, [essay])
    attempt_with_essay(quiz, users.learner, TEXT)
    attempt_with_essay(quiz, users.other_learner, "Another text.")
    return quiz


@pytest.fixture
def assistant(users):
    person = create_user("assistant")
    Membership.objects.create(group=users.group, user=person, role=Role.ASSISTANT)
    return person


def address(quiz, essay, token: str = "") -> str:
    return f"grading-queue/{quiz.uuid}/{essay.uuid}" + (f"/{token}" if token else "")


def test_what_waits_is_listed_with_its_rubric_and_without_names(users, quiz, essay):
    client = program(users.instructor)
    (waiting,) = client.get("grading-queue", lang="es").json()["items"]
    assert (waiting["title"], waiting["needs_grading"]) == ("Un examen", 2)
    page = client.get(address(quiz, essay), lang="es").json()
    idea, form = page["rubric"]["criteria"]
    assert [level["points"] for level in idea["levels"]] == [0, 2, 4]
    assert (form["id"], page["rubric"]["graders"], page["rubric"]["language"]) == ("form", 2, "es")
    assert {row["grading_state"] for row in page["items"]} == {"needs_grading"}
    answer = client.get(address(quiz, essay)).content.decode()
    assert all(name not in answer for name in ("Learner", "learner@", str(users.learner.uuid)))
    first = client.get(address(quiz, essay), limit=1).json()
    second = client.get(address(quiz, essay), cursor=first["cursor"]).json()
    assert [*first["items"], *second["items"]] == page["items"]


def test_two_grade_by_themselves_and_a_third_settles_what_differs(users, assistant, quiz, essay):
    grader, other = program(users.instructor), program(assistant)
    rows = grader.get(address(quiz, essay)).json()["items"]
    paths = [address(quiz, essay, row["token"]) for row in rows]
    path = next(path for path in paths if grader.get(path).json()["text"] == TEXT)
    graded = grader.post(path, {"levels": LEVELS, "comment": "Good."}).json()
    assert (graded["grading_state"], graded["own"]["comment"], graded["others"]) == (
        "graded_by_me",
        "Good.",
        [],
    )
    before = other.get(path).json()
    assert (before["own"], before["others"], before["grading_state"]) == (None, [], "needs_grading")
    differing = other.post(path, {"levels": {"idea": "idea-0", "form": "form-0"}}).json()
    assert differing["grading_state"] == "disagreement"
    assert [grade["levels"] for grade in differing["others"]] == [LEVELS]
    settled = grader.post(path, {"levels": LEVELS, "final": True, "seen": differing["seen"]}).json()
    assert settled["grading_state"] == "done"
    assert settled["credit"] == settled["own"]["credit"]
    late = other.post(path, {"levels": LEVELS, "final": True, "seen": 1})
    assert (late.status_code, late.json()["code"]) == (409, "marked_meanwhile")


def test_what_does_not_fit_the_rubric_is_refused(users, quiz, essay):
    client = program(users.instructor)
    token = client.get(address(quiz, essay)).json()["items"][0]["token"]
    for body in ({"levels": {"idea": "idea-9"}}, {}, {"share": {"numerator": 1, "denominator": 2}}):
        assert client.post(address(quiz, essay, token), body).status_code == 422
    assert client.get(address(quiz, essay, token)).json()["own"] is None
    assert AuditEvent.objects.filter(code="keys_viewed", actor=users.instructor.uuid).exists()


def test_who_oversees_nobody_there_finds_nothing(users, quiz, essay):
    token = program(users.instructor).get(address(quiz, essay)).json()["items"][0]["token"]
    for person in (users.learner, users.outsider, users.stranger):
        client = program(person)
        assert client.get("grading-queue").json() == {"items": []}
        assert client.get(address(quiz, essay)).status_code == 404
        assert client.get(address(quiz, essay, token)).status_code == 404
        assert client.post(address(quiz, essay, token), {"levels": LEVELS}).status_code == 404
    assert program(users.instructor).get(address(quiz, essay, "x")).status_code == 404


def test_one_answer_is_read_without_the_others(users, quiz, essay, monkeypatch):
    client = program(users.instructor)
    rows = client.get(address(quiz, essay)).json()["items"]
    read, read_answer = [], grading_queue._answer

    def count(row):
        read.append(row)
        return read_answer(row)

    monkeypatch.setattr(grading_queue, "_answer", count)
    texts = {client.get(address(quiz, essay, row["token"])).json()["text"] for row in rows}
    assert (texts, len(read)) == ({TEXT, "Another text."}, len(rows))


def test_the_answers_cost_the_same_for_more_of_them(users, quiz, essay, counted):
    client = program(users.instructor)
    client.get(address(quiz, essay))
    with counted() as few:
        client.get(address(quiz, essay))
    person = create_user("third")
    Membership.objects.create(group=users.group, user=person, role=Role.LEARNER)
    attempt_with_essay(quiz, person, "A third text.")
    with counted() as many:
        client.get(address(quiz, essay))
    assert len(few) == len(many)
