"""Saving by script: what is kept, and what is answered to everything else."""

import json
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from tests.factories import create_bank, create_quiz, option_ids
from tests.forged_rows import overwrite
from tests.grading.cloze.questions import CONTENT, KEY
from tests.question_factory import publish_document
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

JSON = "application/json"


@pytest.fixture
def attempt(users, a_quiz) -> Attempt:
    return services.start(quiz=a_quiz.uuid, learner=users.learner, now=clock.now())


@pytest.fixture
def client(users) -> Client:
    return logged_in_client(users.learner)


def one(questions, letter="b", **fields):
    return {
        "slot": 1,
        "answer": {"chosen": option_ids(questions[1], letter), "none_apply": False},
        "flagged": False,
        "base_revision": 0,
        "idempotency_key": str(uuid4()),
        "client": str(uuid4()),
        **fields,
    }


def post(client, attempt, *saves, **headers):
    url = reverse("save", args=[attempt.uuid])
    return client.post(url, json.dumps({"saves": saves}), content_type=JSON, **headers)


def test_a_save_is_told_with_its_revision_and_time(client, attempt, questions):
    save = one(questions, flagged=True)
    response = post(client, attempt, save)
    assert response.status_code == 200
    (saved,) = response.json()["saves"]
    stored = Response.objects.get()
    assert saved == {
        "slot": 1,
        "status": "accepted",
        "revision": 1,
        "answer": save["answer"],
        "interpretation": "",
        "flagged": True,
        "at": stored.received_at.isoformat(),
    }
    assert response["Cache-Control"] == "no-store, private"


def test_a_save_sent_twice_is_kept_once_and_told_the_same(client, attempt, questions):
    save = one(questions)
    first, second = post(client, attempt, save), post(client, attempt, save)
    assert first.json() == second.json()
    assert Response.objects.count() == 1


def test_an_answer_can_be_taken_back(client, attempt, questions):
    post(client, attempt, one(questions))
    response = post(client, attempt, one(questions, answer=None, base_revision=1))
    assert response.json()["saves"][0]["answer"] is None
    assert response.json()["saves"][0]["revision"] == 2


def test_a_save_over_an_older_state_is_told_what_stands(client, attempt, questions):
    first = one(questions)
    post(client, attempt, first)
    (save,) = post(client, attempt, one(questions, "c")).json()["saves"]
    assert (save["status"], save["revision"]) == ("conflict", 1)
    assert save["answer"] == first["answer"]


def test_what_comes_too_late_is_kept_and_answered_409(client, attempt, questions):
    past = clock.now() - timedelta(minutes=1)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    response = post(client, attempt, one(questions))
    assert response.status_code == 409
    assert response.json()["code"] == "late"
    assert Response.objects.get().status == SaveStatus.LATE


def test_who_is_signed_out_is_told_so_and_not_sent_elsewhere(attempt, questions):
    response = post(Client(), attempt, one(questions))
    assert response.status_code == 401
    assert response.json() == {"code": "signed_out"}


def test_without_a_token_nothing_is_saved(users, attempt, questions):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    response = post(strict, attempt, one(questions))
    assert response.status_code == 403
    assert response.json() == {"code": "csrf"}
    assert Response.objects.count() == 0


def test_a_token_that_was_lost_comes_anew_with_the_refusal(users, attempt, questions):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    token = post(strict, attempt, one(questions)).cookies["csrftoken"].value
    assert post(strict, attempt, one(questions), HTTP_X_CSRFTOKEN=token).status_code == 200


def test_who_lost_all_cookies_is_told_to_be_signed_out(attempt, questions):
    response = post(Client(enforce_csrf_checks=True), attempt, one(questions))
    assert response.status_code == 403
    assert response.json() == {"code": "signed_out"}


def test_a_page_of_somebody_else_is_told_so_and_saves_nothing(users, attempt, questions):
    for user, code in ((users.learner, 200), (users.other_learner, 403)):
        headers = {"HTTP_X_PERSON": str(users.learner.uuid)}
        response = post(logged_in_client(user), attempt, one(questions), **headers)
        assert response.status_code == code
    assert response.json() == {"code": "other_person"}
    assert Response.objects.count() == 1


def test_a_foreign_origin_saves_nothing(users, attempt, questions):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    strict.get(reverse("attempt", args=[attempt.uuid]))
    token = strict.cookies["csrftoken"].value
    own = {"HTTP_X_CSRFTOKEN": token, "HTTP_ORIGIN": "http://testserver"}
    assert post(strict, attempt, one(questions), **own).status_code == 200
    foreign = {"HTTP_X_CSRFTOKEN": token, "HTTP_ORIGIN": "https://elsewhere.example"}
    assert post(strict, attempt, one(questions, base_revision=1), **foreign).status_code == 403
    assert Response.objects.count() == 1


def test_somebody_elses_attempt_is_not_there(users, attempt, questions):
    for user in (users.other_learner, users.stranger, users.outsider, users.instructor):
        missing = post(logged_in_client(user), Attempt(uuid=uuid4()), one(questions))
        foreign = post(logged_in_client(user), attempt, one(questions))
        assert foreign.status_code == missing.status_code == 404
        assert foreign.content == missing.content


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"slot": 99}, "unknown_slot"),
        ({"slot": -1}, "unknown_slot"),
        ({"slot": True}, "not_a_number"),
        ({"slot": "1"}, "not_a_number"),
        ({"slot": None}, "not_a_number"),
        ({"base_revision": 1.5}, "not_a_number"),
        ({"base_revision": -1}, "invalid_revision"),
        ({"base_revision": 10**30}, "invalid_revision"),
        ({"idempotency_key": "x"}, "not_a_uuid"),
        ({"idempotency_key": None}, "not_a_uuid"),
        ({"idempotency_key": 5}, "not_a_uuid"),
        ({"client": []}, "not_a_uuid"),
        ({"flagged": 1}, "not_true_or_false"),
        ({"colour": "red"}, "unknown_field"),
        ({"answer": "b"}, "not_an_object"),
        ({"answer": {"chosen": ["\x00"]}}, "unknown_option"),
        ({"answer": {"chosen": {}}}, "not_a_list"),
    ],
)
def test_nonsense_is_refused_by_name_and_nothing_is_kept(client, attempt, questions, change, code):
    response = post(
        client, attempt, one(questions) | {"slot": 0, "answer": None}, one(questions, **change)
    )
    assert response.status_code == 400
    assert response.json()["code"] == code
    assert Response.objects.count() == 0


@pytest.mark.parametrize(
    ("language", "message"), [("en", "not among those offered"), ("es", "no está entre")]
)
def test_what_cannot_be_read_is_named_with_a_sentence(
    client, attempt, questions, language, message
):
    client.cookies["language"] = language
    wrong = one(questions, answer={"chosen": ["<b>"]})
    response = post(client, attempt, one(questions) | {"slot": 0, "answer": None}, wrong)
    body = response.json()
    assert (response.status_code, body["code"]) == (400, "unknown_option")
    assert (body["slot"], body["where"]) == (1, "chosen.0")
    assert message in body["sentence"]
    assert "<b>" not in response.content.decode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"saves": []}',
        b'{"saves": {}}',
        b'{"saves": [5]}',
        b'{"saves": [{"slot": 0}]}',
        b'{"saves": [{"slot": NaN, "answer": null}]}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"saves": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"saves": [' + b",".join([b"{}"] * 501) + b"]}",
    ],
)
def test_what_is_no_list_of_saves_is_refused(client, attempt, body):
    url = reverse("save", args=[attempt.uuid])
    response = client.post(url, body, content_type=JSON)
    assert response.status_code == 400
    assert response.json()["code"] in {"not_json", "not_a_list", "unknown_field"}


def test_a_body_that_is_too_big_is_not_read(client, attempt):
    url = reverse("save", args=[attempt.uuid])
    response = client.post(url, b" " * (1024 * 1024 + 1), content_type=JSON)
    assert response.status_code == 413
    assert response.json()["code"] == "too_big"
    assert "Shorten it" in response.json()["sentence"]


def test_saving_is_no_get(client, attempt):
    assert client.get(reverse("save", args=[attempt.uuid])).status_code == 405


def test_the_clock_tells_what_is_left_and_changes_nothing(client, attempt):
    url = reverse("clock", args=[attempt.uuid])
    answer = client.get(url).json()
    assert (answer["open"], answer["messages"]) == (True, "")
    assert (answer["remaining"], answer["paused"], answer["deadline"]) == (None, 0, None)
    ends = clock.now() + timedelta(seconds=90.5)
    overwrite(Attempt.objects.all(), deadline_at=ends, cutoff_at=ends)
    assert client.get(url).json()["remaining"] in {90, 91}
    past = clock.now() - timedelta(hours=1)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    answer = client.get(url).json()
    assert (answer["open"], answer["remaining"]) == (True, 0)
    assert datetime.fromisoformat(answer["deadline"]) == past
    assert Client().get(url).status_code == 401


def gappy(users):
    """Begin an attempt at one text with three gaps."""
    document = QuestionDocument(
        kind="cloze",
        scoring_method="per_gap",
        content=CONTENT,
        key=KEY,
        words={
            code: {"prompt": "[[1]] [[2]] [[3]]", "options": {"madrid": "M", "rome": "R"}}
            for code in ("en", "es")
        },
        feedback={},
    )
    quiz = create_quiz(users, [publish_document(create_bank(users), "gaps", document)], slug="gaps")
    return services.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())


def gaps(**gap_answers):
    return {
        "slot": 0,
        "answer": {"gaps": gap_answers},
        "base_revision": 0,
        "idempotency_key": str(uuid4()),
        "client": str(uuid4()),
    }


NO_NUMBER = {"typed": "zero", "language": "en"}


def test_gaps_that_can_be_read_are_kept_and_the_other_is_named(client, users):
    begun = gappy(users)
    save = gaps(pi=NO_NUMBER, river={"text": "Ebro"})
    (saved,) = post(client, begun, save).json()["saves"]
    assert (saved["status"], saved["revision"]) == ("accepted", 1)
    assert saved["answer"] == {"gaps": {"river": {"text": "Ebro"}}} == Response.objects.get().answer
    assert (saved["format_error"]["code"], saved["format_error"]["where"]) == (
        "not_a_number",
        ["gaps.pi"],
    )
    assert saved["format_error"]["sentence"].startswith("Gap 3: This cannot be read as a number.")
    assert post(client, begun, save).json()["saves"] == [saved]
    assert Response.objects.count() == 1


def test_every_gap_that_cannot_be_read_is_named(client, users):
    client.cookies["language"] = "es"
    save = gaps(
        pi=NO_NUMBER,
        capital={"chosen": ["<b>"]},
        river={"text": "Ebro"},
    )
    response = post(client, gappy(users), save)
    (saved,) = response.json()["saves"]
    assert sorted(saved["format_error"]["where"]) == ["gaps.capital", "gaps.pi"]
    assert "Hueco 1: " in saved["format_error"]["sentence"]
    assert "Hueco 3: " in saved["format_error"]["sentence"]
    assert "<b>" not in response.content.decode()


def test_where_no_gap_can_be_read_nothing_is_kept_over_what_stands(client, users):
    response = post(client, gappy(users), gaps(pi=NO_NUMBER))
    body = response.json()
    assert (response.status_code, body["code"], body["slot"]) == (400, "not_a_number", 0)
    assert body["where"] == "gaps.pi.typed"
    assert body["sentence"].startswith("Gap 3: ")
    assert not Response.objects.exists()


def test_part_of_an_answer_is_kept_only_if_all_other_saves_make_sense(client, users):
    response = post(
        client,
        gappy(users),
        gaps(pi=NO_NUMBER, river={"text": "Ebro"}),
        gaps() | {"slot": 7},
    )
    assert (response.status_code, response.json()["code"]) == (400, "unknown_slot")
    assert not Response.objects.exists()
