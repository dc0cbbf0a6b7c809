"""Regrades over REST: the same preview, counts and commit as on the pages."""

from dataclasses import replace
from fractions import Fraction
from urllib.parse import urlencode

import pytest

from accounts.models import Membership, Role
from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.publishing import services as publishing_services
from quizzes.publishing.models import Slot
from quizzes.results.models import RegradeRule, Result
from quizzes.results.regrading import continue_regrades
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_question, create_quiz, option_ids, publish_change
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    quiz = create_quiz(users, [corrected, other], window_attempts=None)
    for chosen in ({0: "b", 1: "a"}, {0: "a", 1: "a"}, {0: "a"}, {0: "c"}):
        take_quiz(quiz, users.learner, chosen)
    publish_change(corrected, key={"right": option_ids(corrected, "b")})
    return quiz


@pytest.fixture
def teacher(users):
    return program(users.instructor)


def regrade(quiz, question, query: str = "") -> str:
    return f"quizzes/{quiz.uuid}/questions/{question.uuid}/regrade{query}"


def test_a_preview_counts_and_comes_in_pages(teacher, quiz, corrected):
    first = teacher.get(regrade(quiz, corrected, "?policy=by_key&limit=2")).json()
    assert first["version"] == str(corrected.current.uuid)
    by_policy = {row.pop("policy"): row for row in first["counts"]["policies"]}
    assert by_policy["by_key"] == {
        "rise": 1,
        "now_pass": 1,
        "fall": 2,
        "no_longer_pass": 1,
        "stay": 1,
    }
    assert by_policy["keep_better"]["fall"] == 0
    assert (first["counts"]["attempts"], first["counts"]["counted"]) == (4, 4)
    assert [row["change"] for row in first["items"]] == ["rises", "falls"]
    assert first["items"][0]["before"]["percent"] == "50"
    assert first["items"][0]["after"]["percent"] == "100"
    second = teacher.get(first["next"].removeprefix("/api/v1/")).json()
    assert [row["change"] for row in second["items"]] == ["falls"]
    assert (second["next"], second["counts"]) == (None, None)
    wrong = teacher.get(regrade(quiz, corrected, "?cursor=nonsense"))
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")


def test_a_commit_is_what_was_previewed_and_the_same_again_is_that_one(teacher, quiz, corrected):
    body = {
        "version": str(corrected.current.uuid),
        "policy": "by_key",
        "reason": "The key was wrong.",
    }
    answers = [teacher.post(regrade(quiz, corrected), body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["waiting"] == 4
    continue_regrades(now=NOW)
    totals = Result.objects.order_by("pk").values_list("grading__total_numerator", flat=True)
    assert [int(total) for total in totals] == [2, 1, 0, 0]
    listed = teacher.get(f"quizzes/{quiz.uuid}/regrades").json()
    (item,) = listed["items"]
    assert (item["number"], item["policy"], item["waiting"]) == (1, "by_key", 0)
    assert item["reason"] == "The key was wrong."
    (row,) = listed["corrected"]
    assert (row["name"], row["attempts"], row["is_regraded"]) == ("corrected", 4, True)
    assert listed["counted_in_newest"] is False


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"version": "00000000-0000-4000-8000-000000000000"}, 409, "changed_meanwhile"),
        ({"reason": " "}, 422, "invalid"),
        ({"policy": "none"}, 422, "invalid"),
    ],
)
def test_what_cannot_be_committed_is_refused_with_a_code(
    teacher, quiz, corrected, change, status, code
):
    body = {"version": str(corrected.current.uuid), "reason": "Why", **change}
    answer = teacher.post(regrade(quiz, corrected), body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not RegradeRule.objects.exists()


def test_assistants_and_others_find_nothing(users, quiz, corrected):
    assistant = create_user("assistant")
    Membership.objects.create(user=assistant, group=users.group, role=Role.ASSISTANT)
    body = {"version": str(corrected.current.uuid), "reason": "Why"}
    for person in (users.learner, users.stranger, users.outsider, assistant):
        client = program(person)
        assert client.get(f"quizzes/{quiz.uuid}/regrades").status_code == 404
        assert client.get(regrade(quiz, corrected)).status_code == 404
        assert client.post(regrade(quiz, corrected), body).status_code == 404


def test_pages_cost_the_same_for_more_attempts(teacher, users, quiz, corrected, counted):
    teacher.get(regrade(quiz, corrected))
    with counted() as few:
        teacher.get(regrade(quiz, corrected))
        teacher.get(f"quizzes/{quiz.uuid}/regrades")
    for _ in range(4):
        take_quiz(quiz, users.other_learner, {0: "a"})
    publish_change(corrected, key={"right": option_ids(corrected, "d")})
    teacher.get(regrade(quiz, corrected))
    with counted() as many:
        teacher.get(regrade(quiz, corrected))
        teacher.get(f"quizzes/{quiz.uuid}/regrades")
    assert len(few) == len(many)


def test_a_drop_and_its_revert_are_previewed_and_committed(teacher, quiz, corrected):
    dropped = teacher.get(regrade(quiz, corrected, "?action=drop&policy=by_key")).json()
    assert {row["after"]["maximum"]["decimal"] for row in dropped["items"]} == {"1"}
    body = {"version": str(corrected.current.uuid), "reason": "It was not fair."}
    drop = {**body, "action": "drop", "policy": "by_key"}
    assert teacher.post(regrade(quiz, corrected), drop).json()["action"] == "drop"
    continue_regrades(now=NOW)
    assert {row.grading.maximum for row in Result.objects.select_related("grading")} == {1}
    answer = teacher.post(regrade(quiz, corrected), {**body, "action": "revert", "reverts": 1})
    assert answer.json()["reverts"] == 1
    continue_regrades(now=NOW)
    assert {row.grading.maximum for row in Result.objects.select_related("grading")} == {2}
    wrong = teacher.post(regrade(quiz, corrected), {**body, "action": "full", "policy": "by_key"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "policy_unknown")


def test_points_a_bonus_and_a_method_are_previewed_and_committed(teacher, users, into):
    question = create_question(into, "several", right="ab")
    assert question.current is not None
    other = create_question(into, "other", right="a")
    quiz = create_quiz(users, [question, other], slug="several", window_attempts=None)
    take_quiz(quiz, users.learner, {0: "a"})
    for query, change in (
        ("?action=points&points=2.5", {"action": "points", "points": "2.5"}),
        ("?action=method&scoring_method=halves", {"action": "method", "scoring_method": "halves"}),
        ("?action=bonus", {"action": "bonus"}),
    ):
        previewed = teacher.get(regrade(quiz, question, query)).json()
        body = {"version": str(question.current.uuid), "reason": "It was not fair.", **change}
        committed = teacher.post(regrade(quiz, question), body)
        assert committed.status_code == 202
        assert committed.json().items() >= change.items()
        continue_regrades(now=NOW)
        grading = Result.objects.select_related("grading").get(quiz=quiz).grading
        for item in previewed["items"]:
            after = item["after"]
            assert Fraction(after["total"]["numerator"], after["total"]["denominator"]) == (
                grading.total
            )
    assert (str(grading.total), str(grading.maximum)) == ("1", "1")


def test_what_is_new_and_left_out_is_named(teacher, users, into):
    question = create_question(into, "several", right="ab", scoring_method="right_minus_wrong")
    quiz = create_quiz(users, [question, create_question(into, "other")], slug="several")
    take_quiz(quiz, users.learner, {0: "ac"})
    Slot.objects.filter(question=question).update(points="2.5")
    item = replace(QuestionDocument.from_json(question.draft.data), scoring_method="halves")
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    question.refresh_from_db()
    publish_change(question, key={"right": option_ids(question, "b")})
    publishing_services.publish(quiz=quiz, by=None, now=NOW)
    (row,) = teacher.get(f"quizzes/{quiz.uuid}/regrades").json()["corrected"]
    assert (row["new_scoring_method"], row["new_points"]) == ("halves", "2.5")
    for query, left_out in (
        ("", {"key": False, "scoring_method": "halves", "points": "2.5"}),
        (
            "?action=method&scoring_method=halves",
            {"key": True, "scoring_method": "", "points": "2.5"},
        ),
        (
            "?action=points&points=2.5",
            {"key": True, "scoring_method": "halves", "points": None},
        ),
    ):
        assert teacher.get(regrade(quiz, question, query)).json()["left_out"] == left_out


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"action": "points"}, "points_unknown"),
        ({"action": "points", "points": "many"}, "points_unknown"),
        ({"action": "points", "points": "0"}, "points_unknown"),
        ({"action": "method"}, "scoring_method_unknown"),
        ({"action": "method", "scoring_method": "per_pair"}, "scoring_method_unknown"),
    ],
)
def test_points_and_methods_that_are_none_are_refused(teacher, quiz, corrected, change, code):
    body = {"version": str(corrected.current.uuid), "reason": "It was not fair.", **change}
    for answer in (
        teacher.post(regrade(quiz, corrected), body),
        teacher.get(regrade(quiz, corrected, f"?{urlencode(change)}")),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, code)
