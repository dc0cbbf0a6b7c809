"""A learner whose score a regrade changed reads the old one, the new one and why."""

import pytest

from quizzes.api.fields import format_utc
from quizzes.publishing.models import RevealMoment
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import commit_regrade, continue_regrades
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, take_quiz
from tests.factories import NOW, create_question, create_quiz, option_ids, publish_change
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    return create_quiz(users, [corrected, other], window_attempts=None)


def regrade(
    users, quiz, question, letters="b", policy=RegradePolicy.KEEP_BETTER, reason="Typo <1>"
):
    publish_change(question, key={"right": option_ids(question, *letters)})
    commit_regrade(
        quiz=quiz,
        question=question,
        version=question.current.uuid,
        policy=policy,
        reason=reason,
        by=users.instructor,
        now=NOW,
    )
    continue_regrades(now=later(minutes=1))


def page_of(users, attempt) -> str:
    return logged_in_client(users.learner).get(f"/attempts/{attempt.uuid}/result").content.decode()


def test_old_and_new_score_and_the_reason_stand_on_the_result_page(users, quiz, corrected):
    raised = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    unchanged = take_quiz(quiz, users.learner, {0: "c", 1: "a"})
    assert "Your score was changed" not in page_of(users, raised)
    regrade(users, quiz, corrected)
    html = page_of(users, raised).replace("\N{NO-BREAK SPACE}", " ")
    assert "Your score was changed" in html
    assert "Before: 50% · 1 of 2." in html
    assert "<strong>100% · 2 of 2</strong>" in html
    assert "With it the attempt passes." in html
    assert "Typo &lt;1&gt;" in html
    assert "Your score was changed" not in page_of(users, unchanged)


def test_each_change_is_told_with_its_own_reason_the_last_first(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    regrade(users, quiz, corrected, "b", reason="First")
    regrade(users, quiz, corrected, "c", RegradePolicy.BY_KEY, reason="Second")
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [notice.reasons for notice in report.regrades] == [("Second",), ("First",)]
    assert [notice.before.total for notice in report.regrades] == [2, 1]
    assert "With it the attempt no longer passes." in page_of(users, attempt)


def test_nothing_is_told_where_no_score_is_shown(users, into, corrected):
    hidden = create_quiz(
        users,
        [corrected],
        slug="hidden",
        window_attempts=None,
        reveal_score=RevealMoment.NEVER,
    )
    attempt = take_quiz(hidden, users.learner, {0: "b"})
    regrade(users, hidden, corrected)
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert report.summary.score is None
    assert report.regrades == ()
    assert "Typo" not in page_of(users, attempt)
    result = program(users.learner).get(f"results/{attempt.uuid}").json()
    assert result["regrades"] == []


def test_programs_read_the_regrades_of_a_result(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    regrade(users, quiz, corrected)
    result = program(users.learner).get(f"results/{attempt.uuid}").json()
    (notice,) = result["regrades"]
    assert notice["reasons"] == ["Typo <1>"]
    assert (notice["before"]["percent"], notice["after"]["percent"]) == ("50", "100")
    assert notice["regraded_at"] == format_utc(later(minutes=1))


def test_without_regrades_a_report_asks_no_more(users, quiz, corrected, counted):
    attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    fields = {"attempt": attempt.uuid, "viewer": users.learner, "language": "en", "now": NOW}
    load_report(**fields)
    with counted() as before:
        load_report(**fields)
    regrade(users, quiz, corrected)
    load_report(**fields)
    with counted() as after:
        load_report(**fields)
    # The rules and their versions, of which keys count; gradings, and reasons.
    assert len(after) - len(before) <= 5
