"""Recomputing gradings: silent when all is well, and loud about every difference."""

from io import StringIO
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from quizzes.attempts import services as attempts
from quizzes.results import services
from quizzes.results.models import Grading, ItemResult
from tests.factories import NOW
from tests.forged_rows import without_triggers
from tests.quizzes.results.test_flow import answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def graded(users, a_quiz, questions):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    answer(attempt, users.learner, 0, questions[0], "a", "b", "d")
    answer(attempt, users.learner, 0, questions[0], "a", "b")
    answer(attempt, users.learner, 1, questions[1], "b")
    services.finish(attempt=attempt.uuid, learner=users.learner, now=NOW)
    return attempt


def verify(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_gradings", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
    return out.getvalue(), err.getvalue()


def test_gradings_that_are_right_are_counted(graded):
    assert verify() == (
        "1 gradings, 1 results, 1 quiz grades recomputed, no difference.\n",
        "",
    )
    assert verify("--attempt", str(graded.uuid))[0].startswith("1 ")


def test_a_quiz_or_an_attempt_that_is_not_there_is_no_success(graded):
    nothing = ("", "There is no such grading; nothing was recomputed.")
    assert verify("--quiz", "another") == nothing
    assert verify("--attempt", str(UUID(int=0))) == nothing


@pytest.mark.parametrize(
    ("model", "changes", "place"),
    [
        (Grading, {"total_numerator": 3, "total_denominator": 1}, "total"),
        (Grading, {"passed": True}, "passed"),
        (ItemResult, {"credit_numerator": 1, "credit_denominator": 1}, "credit of slot 0"),
        (ItemResult, {"score": {"credit": [1, 1], "ledger": [], "reasons": []}}, "score of slot 0"),
    ],
)
def test_a_grading_that_was_tampered_with_is_reported(graded, model, changes, place):
    with without_triggers():
        rows = model.objects.filter(slot=0) if model is ItemResult else model.objects.all()
        rows.update(**changes)
    _, err = verify()
    assert place in err
    assert str(graded.uuid) in err
    assert "rows differ from their recomputation" in err
