"""Every time in one form, and every problem document in one language."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from quizzes.api.fields import UTCDateTimeField, format_utc
from quizzes.api.results_csv import format_cell
from quizzes.attempts.models import Attempt
from tests.factories import create_quiz
from tests.forged_rows import overwrite
from tests.quizzes.api.programs import program, taken

pytestmark = pytest.mark.django_db

TIME = re.compile(r"\d{4}-\d\d-\d\dT\S+")
FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
ON_THE_SECOND = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from texts(member)
    elif isinstance(value, str):
        yield value


def test_every_time_has_the_same_form_even_on_the_second(users, questions):
    quiz = create_quiz(users, questions, max_attempts=1)
    client = program(users.learner, "attempt", "read")
    attempt = taken(users.learner, quiz, questions, "a")
    overwrite(Attempt.objects.all(), started_at=ON_THE_SECOND)
    documents = [
        client.get(path).json()
        for path in ("attempts", f"attempts/{attempt['id']}", "results", "quiz-grades", "quizzes")
    ]
    lines = b"".join(client.get("results.csv").streaming_content).decode().split(",")
    times = [text for text in (*texts(documents), *lines) if TIME.fullmatch(text)]
    assert format_utc(ON_THE_SECOND) in times
    assert [time for time in times if not FORM.fullmatch(time)] == []


@pytest.mark.parametrize("write", [UTCDateTimeField().to_representation, format_cell, format_utc])
def test_json_csv_and_problems_write_a_time_alike(write):
    assert write(ON_THE_SECOND) == "2026-11-21T12:00:00.000000Z"


@pytest.mark.parametrize(
    ("language", "title", "detail"),
    [
        ("es", "La petición no tiene sentido", "Este campo es requerido."),
        ("en", "The request makes no sense", "This field is required."),
    ],
)
@pytest.mark.parametrize("by_header", [True, False])
def test_a_problem_document_is_in_the_language_of_the_request(
    users, questions, language, title, detail, by_header
):
    client = program(users.learner, "attempt")
    attempt = client.start(create_quiz(users, questions))
    path = f"attempts/{attempt['id']}/responses"
    query, headers = ("", {"accept-language": language}) if by_header else (f"?lang={language}", {})
    problem = client.post(path + query, {}, **headers).json()
    assert (problem["title"], problem["errors"][0]["detail"]) == (title, detail)
    assert problem["code"] == "invalid"
