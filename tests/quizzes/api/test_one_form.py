"""Every time in one form, and every problem document in one language."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from quizzes.api.fields import UTCDateTimeField, format_utc
from quizzes.api.results_csv import format_cell
from quizzes.attempts.models import Attempt
from tests.factories import create_quiz
from tests.forged_rows import overwrite
from tests.quizzes.api.programs import program, taken
from tools.paths import ROOT

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


def list_messages(source: str) -> Iterator[tuple[int, ast.expr]]:
    """Yield the message of each ValidationError that is raised or returned, with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("ValidationError"):
            yield from ((node.lineno, argument) for argument in node.args[:1])


def test_no_message_of_a_problem_is_written_in_one_language():
    literals = [
        (path.name, line)
        for path in (ROOT / "quizzes" / "api").glob("*.py")
        for line, message in list_messages(path.read_text())
        if isinstance(message, ast.Constant | ast.JoinedStr)
    ]
    assert literals == []


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("results?fields=id,xyz", None, "Campos desconocidos: 1."),
        (f"imports/{UUID(int=0)}/matches", {}, "Envía answers o accept_sure, no ambos ni ninguno."),
        (
            f"imports/{UUID(int=0)}/matches",
            {"answers": [{"item": 1, "question": "q", "same": True}] * 2},
            "Un elemento se responde dos veces.",
        ),
    ],
)
def test_these_problems_were_in_english_for_everybody(users, path, body, detail):
    client = program(users.instructor)
    spanish = {"accept-language": "es"}
    problem = (
        client.client.get(f"/api/v1/{path}", headers=spanish)
        if body is None
        else client.post(path, body, **spanish)
    ).json()
    assert problem["errors"][0]["detail"] == detail


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
