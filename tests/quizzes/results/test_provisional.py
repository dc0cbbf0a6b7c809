"""Whether a score is provisional: everybody who tells of it says the same."""

import csv
import io
from typing import Any

import pytest

from quizzes.attempts.models import Attempt
from quizzes.results.selectors import report
from tests.content import NOW, bank, question, quiz
from tests.essays import by_hand, essay, hand_in
from tests.people import signed_in
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db

WORDS = {"provisional", "passed", "not passed"}


@pytest.fixture
def handed_in(cast) -> Attempt:
    into = bank(cast)
    of = quiz(cast, [essay(into), question(into, "one", right="a")], pass_percent=40)
    return hand_in(of, cast.learner)


def words(html: str) -> set[str]:
    return {word for word in WORDS if f">{word}</span>" in html}


def told(cast: Any, attempt: Attempt) -> dict[str, bool]:
    """What each place says: whether it is provisional."""
    author, teacher = signed_in(cast.instructor), program(cast.instructor)
    listed = words(author.get("/admin/attempts/attempt/").content.decode())
    page = words(author.get(f"/admin/attempts/attempt/{attempt.pk}/change/").content.decode())
    assert len(listed) == len(page) == 1
    learner = signed_in(cast.learner).get(f"/attempts/{attempt.uuid}/result").content.decode()
    score = report(attempt=attempt.uuid, viewer=cast.instructor, language="en", now=NOW)
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


def test_while_a_person_still_marks_all_say_that_it_is_provisional(cast, handed_in):
    assert set(told(cast, handed_in).values()) == {True}


def test_once_it_is_marked_none_does(cast, handed_in):
    by_hand(handed_in, cast.instructor)
    assert set(told(cast, handed_in).values()) == {False}


def test_what_is_provisional_is_neither_passed_nor_failed_in_the_admin(cast, handed_in):
    page = signed_in(cast.instructor).get(f"/admin/attempts/attempt/{handed_in.pk}/change/")
    assert words(page.content.decode()) == {"provisional"}
