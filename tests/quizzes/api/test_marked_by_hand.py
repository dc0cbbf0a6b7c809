"""A program sees that a result is provisional, later that it is final, and that it changed."""

import pytest

from quizzes.publishing.models import RevealMoment
from tests.attempt_helpers import later
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import create_bank, create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def learner(users):
    return program(users.learner, "read")


def test_a_result_is_provisional_until_its_last_essay_is_marked(users, learner):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users))], pass_percent=50), users.learner
    )
    before = learner.get(f"results/{attempt.uuid}").json()
    assert (before["score"]["provisional"], before["score"]["passed"]) == (True, False)
    [waiting] = before["questions"]
    assert (waiting["outcome"], waiting["credit"], waiting["ledger"]) == ("needs_grading", None, [])
    assert waiting["feedback"]["comments"] == []
    grade_essay(attempt, users.instructor, levels(2, 0), comment="Well said")
    after = learner.get(f"results/{attempt.uuid}").json()
    assert (after["score"]["provisional"], after["score"]["passed"]) == (False, True)
    [marked] = after["questions"]
    assert marked["outcome"] == "partially_correct"
    assert (marked["credit"]["numerator"], marked["credit"]["denominator"]) == (4, 5)
    assert [line["part"] for line in marked["ledger"]] == ["idea-2", "form-0"]
    assert marked["feedback"]["comments"] == ["Well said"]
    assert marked["feedback"]["parts_html"]["idea-2"] == "Level idea-2"
    assert marked["feedback"]["parts_html"]["idea"] == "Criterion idea"
    assert "idea-1" not in marked["feedback"]["parts_html"]


def test_those_who_follow_what_changes_hear_of_a_mark_by_hand(users, learner):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users))]), users.learner
    )
    since = {"updated_since": later(minutes=30).isoformat()}
    assert learner.get("results", **since).json()["items"] == []
    grade_essay(attempt, users.instructor, now=later(hours=1))
    [row] = learner.get("results", **since).json()["items"]
    assert (row["id"], row["score"]["provisional"]) == (str(attempt.uuid), False)


def test_comments_wait_for_the_moment_of_feedback(users, learner):
    hidden = {"reveal_feedback": RevealMoment.NEVER}
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users))], **hidden), users.learner
    )
    grade_essay(attempt, users.instructor, comment="Well said")
    [question] = learner.get(f"results/{attempt.uuid}").json()["questions"]
    assert question["feedback"]["comments"] == []
    assert question["feedback"]["parts_html"] == {}
    assert question["outcome"] == "correct"
