"""Numbers through the API: typed with their language, or read only if they can be just one."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import create_bank, create_quiz
from tests.question_factory import document, publish_document, samples
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db

[PI] = [
    sample
    for sample in samples()
    if (sample.kind, sample.name) == ("numeric", "pi, to two decimals")
]


@pytest.fixture
def client(users):
    return program(users.learner, "attempt")


@pytest.fixture
def attempt(client, users):
    return client.start(
        create_quiz(users, [publish_document(create_bank(users), "pi", document(PI))])
    )


def save(client: Any, attempt: Any, typed: str, headers: Any = None, **language: str) -> Any:
    sent = {"slot": 0, "answer": {"typed": typed, **language}, "idempotency_key": str(uuid4())}
    path = f"attempts/{attempt['id']}/responses"
    return client.post(path, {"responses": [sent]}, **(headers or {}))


def quiz_grade(client: Any, attempt: Any) -> Any:
    return client.get(f"attempts/{attempt['id']}").json()["questions"][0]["answer"]


def test_a_program_learns_whether_a_unit_may_be_given(attempt):
    assert attempt["questions"][0]["public_view"] == {"unit": "none"}


@pytest.mark.parametrize(("typed", "language"), [("3,14", "es"), ("3.14", "en"), ("3.14", "es")])
def test_a_number_is_saved_as_it_was_typed_and_as_it_was_read(client, attempt, typed, language):
    answer = save(client, attempt, typed, language=language)
    assert answer.status_code == 200
    stored = {
        "typed": typed,
        "language": language,
        "separator": "",
        "number": [157, 50],
        "digits": 3,
        "unit": "",
    }
    assert answer.json()["responses"][0]["answer"] == stored
    assert quiz_grade(client, attempt) == stored


def test_the_largest_number_is_kept_to_its_last_digit(client, attempt):
    save(client, attempt, "-1.5e400", language="en")
    assert quiz_grade(client, attempt)["number"] == [-15 * 10**399, 1]


def test_what_stands_may_be_sent_again(client, attempt):
    save(client, attempt, "3,14", language="es")
    stored = quiz_grade(client, attempt)
    sent = {"slot": 0, "answer": stored, "idempotency_key": str(uuid4())}
    answer = client.post(f"attempts/{attempt['id']}/responses", {"responses": [sent]})
    assert answer.json()["responses"][0]["answer"] == stored


def test_the_language_of_the_request_is_not_taken_for_that_of_the_number(client, attempt):
    spanish = {"accept-language": "es"}
    refused = save(client, attempt, "3.142", spanish)
    assert refused.status_code == 422
    assert refused.json()["code"] == "ambiguous_number"
    assert quiz_grade(client, attempt) is None
    assert save(client, attempt, "3.142", spanish, language="en").status_code == 200


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("three", "not_a_number"),
        ("3.14 m", "not_a_number"),
        ("1e999999999", "exponent_too_large"),
        ("9" * 10_000, "number_too_long"),
        ("1/0", "zero_denominator"),
    ],
)
def test_what_is_no_number_is_refused_and_costs_nothing(client, attempt, typed, code):
    save(client, attempt, "3.14", language="en")
    refused = save(client, attempt, typed, language="en")
    assert refused.status_code == 422
    assert refused.json()["code"] == code
    assert typed not in refused.content.decode()
    assert quiz_grade(client, attempt)["typed"] == "3.14"


def test_the_same_number_earns_the_same_in_every_language(users):
    totals = []
    quiz = create_quiz(
        users, [publish_document(create_bank(users), "pi", document(PI))], max_attempts=None
    )
    for typed, language in (("3,14", "es"), ("3.14", "en"), ("3,14", "en")):
        client = program(users.learner)
        attempt = client.start(quiz)
        save(client, attempt, typed, language=language)
        client.submit(attempt)
        totals.append(client.result(attempt)["score"]["total"])
    assert totals == [totals[0]] * 3
    assert totals[0]["numerator"] == 1


def test_a_number_that_can_be_two_is_named_until_its_separator_is_sent(client, attempt):
    [unconfirmed] = save(client, attempt, "3.142", language="es").json()["responses"]
    assert unconfirmed["unconfirmed_numbers"] == ["typed"]
    assert unconfirmed["answer"]["number"] == [3142, 1]
    [saved] = save(client, attempt, "3.142", language="es", separator="decimal").json()["responses"]
    assert saved["unconfirmed_numbers"] == []
    assert saved["answer"] == quiz_grade(client, attempt)
    assert (saved["answer"]["separator"], saved["answer"]["number"]) == ("decimal", [1571, 500])


def test_a_separator_makes_a_language_needless_and_an_unknown_one_is_refused(client, attempt):
    assert save(client, attempt, "3.142", separator="thousands").status_code == 200
    refused = save(client, attempt, "3.142", separator="point")
    assert refused.status_code == 422
    assert refused.json()["code"] == "unknown_option"
