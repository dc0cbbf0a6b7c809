"""The answers of a class over REST: the numbers and texts of its export, a page at a time."""

import pytest

from accounts.models import Membership, Role
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.query_counts import statements
from tests.quizzes.api.programs import ROOT, program
from tests.quizzes.statistics.attempt_histories import create_learners

pytestmark = pytest.mark.django_db
QUERIES = 14


@pytest.fixture
def quiz(users):
    several = create_question(create_bank(users), "several", right="abc", options="abcd")
    return create_quiz(users, [several], window_attempts=None)


def read(person, group, quiz, **params):
    path = f"classes/{group.uuid}/gradebook/answers"
    return program(person).get(path, quiz=quiz.uuid, **params)


def test_each_answer_is_a_text_and_its_credit_exact(users, quiz):
    attempt = take_quiz(quiz, users.learner, {0: "ab"})
    [row] = read(users.instructor, users.group, quiz).json()["items"]
    assert (row["attempt"], row["number"], row["counts"]) == (str(attempt.uuid), 1, True)
    assert row["learner"]["email"] == "learner@example.org"
    [item] = row["answers"]
    assert item["answer"].count("“") == 2
    assert item["credit"] == {"numerator": 2, "denominator": 3, "decimal": "0.666666"}
    assert item["points"]["decimal"] == "1"
    codes = AuditEvent.objects.filter(actor=users.instructor.uuid).values_list("code", flat=True)
    assert {AuditCode.RESULTS_EXPORTED, AuditCode.KEYS_VIEWED} <= set(codes)


def test_pages_follow_each_other(users, quiz):
    for learner in create_learners(users, [f"l{n}" for n in range(5)]):
        take_quiz(quiz, learner, {0: "a"})
    attempts, path = list[str](), f"classes/{users.group.uuid}/gradebook/answers"
    path += f"?limit=2&quiz={quiz.uuid}"
    while path:
        page = program(users.instructor).get(path).json()
        attempts += [row["attempt"] for row in page["items"]]
        path = (page["next"] or "").removeprefix(ROOT)
    assert len(attempts) == len(set(attempts)) == 5


def test_only_who_teaches_or_assists_reads_it(users, quiz):
    for person in (users.outsider, users.learner, users.stranger):
        assert read(person, users.group, quiz).status_code == 404
    assert read(users.outsider, users.other_group, quiz).status_code == 404
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assert read(users.outsider, users.group, quiz).status_code == 200


def test_more_learners_cost_no_more_queries(users, quiz):
    take_quiz(quiz, users.learner, {0: "a"})
    client = program(users.instructor)
    path = f"classes/{users.group.uuid}/gradebook/answers?quiz={quiz.uuid}"
    client.get(path)
    with statements() as few:
        client.get(path)
    for learner in create_learners(users, [f"l{n}" for n in range(3)]):
        take_quiz(quiz, learner, {0: "a"})
    with statements() as many:
        assert len(client.get(path).json()["items"]) == 4
    assert len(many) == len(few) <= QUERIES
