"""The pages of challenges: what waits, one question with its statistics, one answer for many."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.audit.models import AuditEvent
from quizzes.challenges.models import Challenge
from quizzes.challenges.services import challenge_question
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, publish_change
from tests.users import Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db
LIST = reverse("admin:challenges_challenge_changelist")
QUERIES = {"list": 5, "question": 9}


@pytest.fixture
def challenges(users: Users, a_quiz) -> list[Challenge]:
    return [
        challenge_question(
            attempt=take_quiz(a_quiz, person, {1: "a"}).uuid,
            slot=1,
            learner=person,
            reason="key",
            comment=f"Says {person}.",
            language="en",
            now=NOW,
        )
        for person in (users.learner, users.other_learner)
    ]


def address(challenge: Challenge) -> str:
    return reverse("admin:challenges_question", args=[challenge.version.question.uuid])


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def post(users: Users, challenges: list[Challenge], **fields: Any) -> Any:
    posted = {
        "challenge": [str(row.uuid) for row in challenges],
        "verdict": "accepted",
        "answer": "You are right.",
        **fields,
    }
    return logged_in_client(users.instructor).post(address(Challenge.objects.all()[0]), posted)


def test_the_first_page_and_the_list_say_what_waits(users, challenges):
    client = logged_in_client(users.instructor)
    assert "2 challenges of questions wait" in " ".join(read(client, "/admin/").split())
    assert address(challenges[0]) in read(client, LIST)


def test_a_question_has_its_challenges_beside_its_statistics(users, challenges):
    update_statistics()
    page = read(logged_in_client(users.instructor), address(challenges[0]))
    assert "Says Learner." in page
    assert "Says Other_Learner." in page
    assert "Statistics in A quiz, version 1" in " ".join(page.split())
    assert reverse("admin:bank_question_change", args=[challenges[0].version.question_id]) in page
    assert AuditEvent.objects.filter(code="keys_viewed", actor=users.instructor.uuid).exists()


def test_a_challenge_leads_to_the_regrade_of_its_quiz(users, challenges):
    quiz, question = challenges[0].quiz, challenges[0].version.question
    client = logged_in_client(users.instructor)
    every_way = reverse("admin:publishing_quiz_regrade", args=[quiz.pk])
    assert f'href="{every_way}"' in read(client, address(challenges[0]))
    publish_change(question, shuffle=False)
    by_the_key = reverse("admin:publishing_quiz_regrade_question", args=[quiz.pk, question.uuid])
    page = read(client, address(challenges[0]))
    assert f'href="{by_the_key}"' in page
    assert "Regrade “A quiz”" in page
    assistant = create_user("assistant")
    Membership.objects.create(user=assistant, group=users.group, role=Role.ASSISTANT)
    assert "regrade" not in read(logged_in_client(assistant), address(challenges[0]))


def test_those_that_are_ticked_are_answered_together(users, challenges):
    response = post(users, challenges)
    assert response.status_code == 302
    assert {row.answer for row in Challenge.objects.all()} == {"You are right."}
    page = read(logged_in_client(users.instructor), address(challenges[0]))
    assert "0 wait for an answer" in " ".join(page.split())


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"challenge": []}, "Tick the challenges"),
        ({"verdict": ""}, "Choose whether you accept"),
        ({"answer": ""}, "Write an answer"),
    ],
)
def test_what_is_missing_is_named_and_what_was_written_stays(users, challenges, fields, sentence):
    response = post(users, challenges, **{"answer": "Kept as written.", **fields})
    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert fields.get("answer", "Kept as written.") in page
    assert not Challenge.objects.exclude(verdict="").exists()


@pytest.mark.parametrize("uuid", ["x", "00000000-0000-4000-8000-000000000001"])
def test_challenges_that_are_not_there(users, challenges, uuid):
    assert post(users, challenges, challenge=[uuid]).status_code == 404


def test_who_sees_them(users, challenges):
    assistant = create_user("assistant")
    Membership.objects.create(user=assistant, group=users.group, role=Role.ASSISTANT)
    assert "Says Learner." in read(logged_in_client(assistant), address(challenges[0]))
    outsider = logged_in_client(users.outsider)
    assert "Nobody has challenged" in read(outsider, LIST)
    assert outsider.get(address(challenges[0])).status_code == 404
    assert logged_in_client(users.learner).get(LIST).status_code in {302, 403, 404}


def test_as_many_queries_for_many_as_for_few(users, a_quiz, challenges, django_assert_num_queries):
    update_statistics()
    client = logged_in_client(users.instructor)
    for path, queries in ((LIST, QUERIES["list"]), (address(challenges[0]), QUERIES["question"])):
        client.get(path)
        with django_assert_num_queries(queries):
            client.get(path)
