"""What a repeated write says of persons and keys: what whoever repeats it may see by then."""

import pytest

from accounts.models import Membership
from quizzes.api.models import IdempotentWrite
from tests.essay_factory import TEXT, attempt_with_essay, create_essay
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "one"}


def repeat(client, path, body):
    """Post twice with one key, and check that the second is the first without another write."""
    first, again = (client.post(path, body, **KEY) for _ in range(2))
    assert first.status_code in {200, 201}, first.content
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again["Idempotent-Replayed"] == "true"
    assert again.headers.get("Location") == first.headers.get("Location")
    assert IdempotentWrite.objects.get().body == ""
    return first


def lose_rights(users):
    Membership.objects.filter(user=users.instructor).delete()


def check_gone(client, path, body):
    gone = client.post(path, body, **KEY)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


def test_a_repeated_grade_shows_the_answer_only_to_who_still_may_see_it(users):
    essay = create_essay(create_bank(users))
    quiz = create_quiz(users, [essay])
    attempt_with_essay(quiz, users.learner, TEXT)
    client, path = program(users.instructor), f"grading-queue/{quiz.uuid}/{essay.uuid}"
    path = f"{path}/{client.get(path).json()['items'][0]['token']}"
    body = {"levels": {"idea": "idea-1", "form": "form-1"}}
    assert repeat(client, path, body).json()["text"] == TEXT
    lose_rights(users)
    check_gone(client, path, body)


def test_a_repeated_mark_shows_the_score_only_to_who_still_may_see_it(users):
    essay = create_essay(create_bank(users))
    quiz = create_quiz(users, [essay])
    attempt = attempt_with_essay(quiz, users.learner, TEXT)
    client = program(users.instructor)
    path = f"attempts/{attempt.uuid}/questions/1/mark"
    body = {"levels": {"idea": "idea-1", "form": "form-1"}}
    repeat(client, path, body)
    lose_rights(users)
    check_gone(client, path, body)


def test_a_repeated_draft_shows_its_key_only_to_who_still_may_see_it(users):
    bank = create_bank(users)
    question = create_question(bank, "river", kind="single_choice", right="a", options="ab")
    client = program(users.instructor)
    path = f"questions/{question.uuid}/draft"
    body = {"document": client.get(path).json()["document"]}
    repeat(client, path, body)
    lose_rights(users)
    check_gone(client, path, body)


def test_a_repeated_list_of_people_names_them_only_to_who_still_teaches_them(users):
    client, path = program(users.instructor), f"classes/{users.group.uuid}/rosters"
    body = {"people": [{"email": "new@ochenta.example", "name": "New"}]}
    assert repeat(client, path, body).json()["people"][0]["name"] == "New"
    lose_rights(users)
    check_gone(client, path, body)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("people/{learner}/accommodation", {"time_percent": 150, "reason": "Dyslexia"}),
        ("classes/{group}/people/{learner}", {"role": "assistant"}),
        ("classes/{group}/join-code", {}),
        ("invitations", {"email": "new@ochenta.example", "class_id": "{group}"}),
        ("banks/{bank}/shares", {"everyone": True, "right": "use"}),
    ],
)
def test_what_else_a_repeated_write_says_of_persons_ends_with_the_right(users, path, body):
    ids = {
        "learner": str(users.learner.uuid),
        "group": str(users.group.uuid),
        "bank": str(create_bank(users).uuid),
    }
    body = {name: ids["group"] if value == "{group}" else value for name, value in body.items()}
    client, path = program(users.instructor), path.format(**ids)
    repeat(client, path, body)
    lose_rights(users)
    check_gone(client, path, body)
