"""The answers to one question of a quiz over REST, and one score by hand for many of them."""

import pytest

from accounts.models import Membership, Role
from quizzes.results.models import ManualGrade
from tests.attempt_helpers import later, take_quiz
from tests.factories import create_quiz
from tests.quizzes.api.programs import program
from tests.short_text_factory import attempt_with_text, create_short_text
from tests.users import create_user

pytestmark = pytest.mark.django_db

HALF = {"numerator": 1, "denominator": 2}


@pytest.fixture
def attempts(users, a_quiz):
    """The second question: b (right) of two learners, and a later one of the learner, a."""
    return [
        take_quiz(a_quiz, users.learner, {1: "b"}),
        take_quiz(a_quiz, users.other_learner, {1: "b"}),
        take_quiz(a_quiz, users.learner, {1: "a"}, later(hours=9)),
    ]


@pytest.fixture
def address(attempts, a_quiz, questions) -> str:
    return f"quizzes/{a_quiz.uuid}/questions/{questions[1].uuid}"


@pytest.fixture
def teacher(users):
    return program(users.instructor)


def read(client, address, **query):
    """Return the answers by the id of their attempt."""
    answer = client.get(f"{address}/answers", **query)
    assert answer.status_code == 200, answer.json()
    return {item["attempt"]: item for item in answer.json()["items"]}


def body_of(attempts, **fields):
    answers = [{"attempt": str(attempt.uuid), "seen": 0} for attempt in attempts]
    return {"answers": answers, "share": HALF, "reason": "Both may be meant."} | fields


def test_answers_are_listed_with_learner_text_credit_and_marks(users, teacher, attempts, address):
    listed = read(teacher, address)
    assert listed.keys() == {str(attempt.uuid) for attempt in attempts}
    answer = listed[str(attempts[2].uuid)]
    assert answer["learner"] == {
        "id": str(users.learner.uuid),
        "name": "Learner",
        "email": users.learner.email,
        "school_id": users.learner.school_id,
    }
    assert (answer["number"], answer["attempt_number"], answer["marks"]) == (2, 2, 0)
    assert (answer["credit"]["decimal"], answer["points"]["decimal"]) == ("0", "1")
    assert (answer["is_overridden"], answer["comment"]) == (False, "")
    assert answer["answer"] != listed[str(attempts[0].uuid)]["answer"] != ""
    english, spanish = (read(teacher, address, lang=lang) for lang in ("en", "es"))
    assert english[answer["attempt"]]["answer"] != spanish[answer["attempt"]]["answer"]


def test_answers_come_in_pages_by_cursor(teacher, attempts, address):
    first = teacher.get(f"{address}/answers", limit=2).json()
    assert len(first["items"]) == 2
    rest = teacher.get(f"{address}/answers", cursor=first["cursor"]).json()
    seen = [item["attempt"] for item in (*first["items"], *rest["items"])]
    assert seen == sorted(str(attempt.uuid) for attempt in attempts)
    assert rest["next"] is None


def test_many_answers_get_one_score_and_it_is_taken_back(teacher, attempts, address):
    answer = teacher.post(f"{address}/scores", body_of(attempts[1:]))
    assert answer.json() == {"saved": 2, "refused": {}}
    listed = read(teacher, address, status="marked")
    assert listed.keys() == {str(attempt.uuid) for attempt in attempts[1:]}
    for row in listed.values():
        assert row["credit"]["decimal"] == "0.5"
        assert (row["is_overridden"], row["marks"]) == (True, 1)
        assert row["comment"] == "Both may be meant."
    back = body_of(attempts[1:], withdraw=True, reason="It was right.")
    back["answers"] = [{"attempt": str(attempt.uuid)} for attempt in attempts[1:]]
    del back["share"]
    assert teacher.post(f"{address}/scores", back).json()["saved"] == 2
    assert read(teacher, address, status="marked") == {}
    assert len(read(teacher, address, status="full_credit")) == 2


def test_what_was_marked_meanwhile_or_is_not_there_is_refused_and_the_rest_saved(
    users, teacher, attempts, address, a_quiz
):
    teacher.post(f"attempts/{attempts[0].uuid}/questions/2/comment", {"comment": "Well put."})
    own = take_quiz(a_quiz, users.instructor, {1: "b"})
    answer = teacher.post(f"{address}/scores", body_of([*attempts, own]))
    assert answer.status_code == 200
    assert answer.json() == {
        "saved": 2,
        "refused": {str(attempts[0].uuid): "marked_meanwhile", str(own.uuid): "not_found"},
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"answers": []},
        {"answers": [{"attempt": "none"}]},
        {"share": {"numerator": 3, "denominator": 2}},
        {"withdraw": True},
        {"reason": " "},
        {"seen": 0},
    ],
)
def test_what_makes_no_sense_saves_nothing(teacher, attempts, address, fields):
    answer = teacher.post(f"{address}/scores", body_of(attempts, **fields))
    assert answer.status_code in {400, 422}
    assert not ManualGrade.objects.exists()


def test_the_same_request_again_saves_nothing_more(teacher, attempts, address):
    key = {"Idempotency-Key": "half-1"}
    first = teacher.post(f"{address}/scores", body_of(attempts), **key)
    again = teacher.post(f"{address}/scores", body_of(attempts), **key)
    assert first.json() == again.json() == {"saved": 3, "refused": {}}
    assert ManualGrade.objects.count() == 3


def test_answers_to_a_version_and_those_that_are_the_same(users, teacher, attempts, address):
    same = read(teacher, address, same_as=str(attempts[0].uuid))
    assert same.keys() == {str(attempt.uuid) for attempt in attempts[:2]}
    version = next(iter(same.values()))["version"]
    assert len(read(teacher, address, version=version)) == 3
    assert read(teacher, address, version=str(users.learner.uuid)) == {}
    nothing = teacher.get(f"{address}/answers", same_as=str(users.learner.uuid))
    assert nothing.status_code == 404


def test_typed_answers_are_the_same_after_folding(users, teacher, questions):
    question = create_short_text(questions[0].bank)
    quiz = create_quiz(users, [question], slug="cities")
    attempts = [
        attempt_with_text(quiz, learner, text)
        for learner, text in ((users.learner, "Lyon"), (users.other_learner, "lyon  "))
    ]
    attempt_with_text(quiz, users.learner, "Rome")
    address = f"quizzes/{quiz.uuid}/questions/{question.uuid}"
    same = read(teacher, address, same_as=str(attempts[0].uuid))
    assert same.keys() == {str(attempt.uuid) for attempt in attempts}


def test_an_assistant_lists_and_marks_and_others_find_nothing(users, attempts, address):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    helper = program(assistant)
    assert len(read(helper, address)) == 3
    assert helper.post(f"{address}/scores", body_of(attempts)).json()["saved"] == 3
    for person in (users.outsider, users.learner, users.stranger):
        other = program(person)
        assert other.get(f"{address}/answers").status_code in {403, 404}
        assert other.post(f"{address}/scores", body_of(attempts)).status_code in {403, 404}


def test_more_answers_ask_no_more_often(users, teacher, attempts, address, a_quiz, counted):
    read(teacher, address)
    with counted() as few:
        read(teacher, address)
    take_quiz(a_quiz, users.other_learner, {1: "a"}, later(hours=20))
    with counted() as many:
        read(teacher, address)
    assert len(many) == len(few) <= 12
