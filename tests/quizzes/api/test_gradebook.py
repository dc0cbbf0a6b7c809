"""The gradebook of a class over REST: the numbers of its page, for who teaches or assists."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Membership, Role
from tests.attempt_helpers import start, take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import ROOT, program
from tests.quizzes.statistics.attempt_histories import create_learners

pytestmark = pytest.mark.django_db
QUERIES = 10


@pytest.fixture
def thirds(users):
    bank = create_bank(users)
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(3)]
    return create_quiz(users, questions, shuffle_questions=False, window_attempts=None)


def read(person, group, **params):
    return program(person).get(f"classes/{group.uuid}/gradebook", **params)


def test_everyone_s_final_grade_is_there_exactly(users, thirds):
    counted = take_quiz(thirds, users.learner, {0: "a", 1: "a"})
    take_quiz(thirds, users.learner, {0: "a"})
    going = start(thirds, users.other_learner)
    answer = read(users.instructor, users.group).json()
    assert [quiz["slug"] for quiz in answer["quizzes"]] == [thirds.slug]
    grades = {row["learner"]["email"]: row["grades"] for row in answer["items"]}
    [grade] = grades["learner@example.org"]
    assert (grade["quiz"], grade["attempt"]) == (str(thirds.uuid), str(counted.uuid))
    assert (grade["state"], grade["score"]["percent"]) == ("failed", "66.66")
    assert grade["score"]["total"] == {"numerator": 2, "denominator": 1, "decimal": "2"}
    [grade] = grades["other_learner@example.org"]
    assert (grade["state"], grade["score"], grade["attempt"]) == (
        "in_progress",
        None,
        str(going.uuid),
    )


def test_pages_follow_each_other(users, thirds):
    create_learners(users, [f"l{n}" for n in range(3)])
    emails, path = list[str](), f"classes/{users.group.uuid}/gradebook?limit=2"
    while path:
        page = program(users.instructor).get(path).json()
        emails += [row["learner"]["email"] for row in page["items"]]
        path = (page["next"] or "").removeprefix(ROOT)
    assert len(emails) == len(set(emails)) == 5


def test_only_who_teaches_or_assists_reads_it(users, thirds):
    for person in (users.outsider, users.learner, users.stranger):
        assert read(person, users.group).status_code == 404
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    assert read(users.outsider, users.group).status_code == 200


def test_more_learners_cost_no_more_queries(users, thirds):
    take_quiz(thirds, users.learner, {0: "a"})
    client, path = program(users.instructor), f"classes/{users.group.uuid}/gradebook"
    client.get(path)
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for learner in create_learners(users, [f"l{n}" for n in range(3)]):
        take_quiz(thirds, learner, {0: "a"})
    with CaptureQueriesContext(connection) as many:
        assert len(client.get(path).json()["items"]) == 5
    assert len(many) == len(few) <= QUERIES
