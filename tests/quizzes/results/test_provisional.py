"""Whether a score is provisional: everybody who tells of it says the same."""

import csv
import io
from typing import Any

import pytest

from quizzes.attempts.models import Attempt
from quizzes.results.selectors import load_report
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

WORDS = {"provisional", "passed", "not passed"}


@pytest.fixture
def handed_in(users) -> Attempt:
    into = create_bank(users)
    of = create_quiz(
        users, [create_essay(into), create_question(into, "one", right="a")], pass_percent=40
    )
    return attempt_with_essay(of, users.learner)


def words(html: str) -> set[str]:
    return {word for word in WORDS if f">{word}</span>" in html}


def told(users: Any, attempt: Attempt) -> dict[str, bool]:
    """What each place says: whether it is provisional."""
    author, teacher = logged_in_client(users.instructor), program(users.instructor)
    listed = words(author.get("/admin/attempts/attempt/").content.decode())
    page = words(author.get(f"/admin/attempts/attempt/{attempt.pk}/change/").content.decode())
    assert len(listed) == len(page) == 1
    learner = (
        logged_in_client(users.learner).get(f"/attempts/{attempt.uuid}/result").content.decode()
    )
    score = load_report(attempt=attempt.uuid, viewer=users.instructor, language="en", now=NOW)
    assert score.summary.score is not None
    table = b"".join(teacher.get("results.csv").streaming_content).decode()
    row = next(csv.DictReader(io.StringIO(table)))
    return {
        "admin list": listed == {"provisional"},
        "admin page": page == {"provisional"},
        "result page": "This is provisional" in learner,
        "report": score.summary.score.provisional,
        "API list": teacher.get("results").json()["items"][0]["score"]["provisional"],
        "API detail": teacher.get(f"results/{attempt.uuid}").json()["score"]["provisional"],
        "CSV": row["provisional"] == "yes",
    }


def test_while_a_person_still_marks_all_say_that_it_is_provisional(users, handed_in):
    assert set(told(users, handed_in).values()) == {True}


def test_once_it_is_marked_none_does(users, handed_in):
    grade_essay(handed_in, users.instructor)
    assert set(told(users, handed_in).values()) == {False}


def test_what_is_provisional_is_neither_passed_nor_failed_in_the_admin(users, handed_in):
    page = logged_in_client(users.instructor).get(f"/admin/attempts/attempt/{handed_in.pk}/change/")
    assert words(page.content.decode()) == {"provisional"}
