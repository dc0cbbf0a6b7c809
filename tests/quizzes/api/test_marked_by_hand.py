"""A program sees that a result is provisional, later that it is final, and that it changed."""

import pytest

from quizzes.publishing.models import Moment
from tests.content import bank, quiz
from tests.essays import by_hand, essay, hand_in, levels
from tests.quizzes.api.programs import program
from tests.taking import later

pytestmark = pytest.mark.django_db


@pytest.fixture
def learner(cast):
    return program(cast.learner, "read")


def test_a_result_is_provisional_until_its_last_essay_is_marked(cast, learner):
    attempt = hand_in(quiz(cast, [essay(bank(cast))], pass_percent=50), cast.learner)
    before = learner.get(f"results/{attempt.uuid}").json()
    assert (before["score"]["provisional"], before["score"]["passed"]) == (True, False)
    [waiting] = before["questions"]
    assert (waiting["outcome"], waiting["credit"], waiting["ledger"]) == ("waits", None, [])
    assert waiting["feedback"]["comments"] == []
    by_hand(attempt, cast.instructor, levels(2, 0), comment="Well said")
    after = learner.get(f"results/{attempt.uuid}").json()
    assert (after["score"]["provisional"], after["score"]["passed"]) == (False, True)
    [marked] = after["questions"]
    assert marked["outcome"] == "partly"
    assert (marked["credit"]["numerator"], marked["credit"]["denominator"]) == (4, 5)
    assert [line["part"] for line in marked["ledger"]] == ["idea-2", "form-0"]
    assert marked["feedback"]["comments"] == ["Well said"]
    assert marked["feedback"]["parts_html"]["idea-2"] == "Level idea-2"
    assert marked["feedback"]["parts_html"]["idea"] == "Criterion idea"
    assert "idea-1" not in marked["feedback"]["parts_html"]


def test_those_who_follow_what_changes_hear_of_a_mark_by_hand(cast, learner):
    attempt = hand_in(quiz(cast, [essay(bank(cast))]), cast.learner)
    since = {"updated_since": later(minutes=30).isoformat()}
    assert learner.get("results", **since).json()["items"] == []
    by_hand(attempt, cast.instructor, now=later(hours=1))
    [row] = learner.get("results", **since).json()["items"]
    assert (row["id"], row["score"]["provisional"]) == (str(attempt.uuid), False)


def test_comments_wait_for_the_moment_of_feedback(cast, learner):
    hidden = {"reveal_feedback": Moment.NEVER}
    attempt = hand_in(quiz(cast, [essay(bank(cast))], **hidden), cast.learner)
    by_hand(attempt, cast.instructor, comment="Well said")
    [told] = learner.get(f"results/{attempt.uuid}").json()["questions"]
    assert told["feedback"]["comments"] == []
    assert told["feedback"]["parts_html"] == {}
    assert told["outcome"] == "right"
