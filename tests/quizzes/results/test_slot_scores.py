"""Scores that are remembered: equal answers are computed once, and never mixed up."""

import json
from fractions import Fraction
from functools import partial
from uuid import uuid4

import pytest

from grading.contract import ItemScore, NeedsManualGrading, build_rule
from grading.kinds import KINDS
from quizzes.results import slot_scores
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import continue_regrades
from quizzes.results.slot_scores import SlotScores, build_slot_score, item_score_to_json
from tests.attempt_helpers import finish, save_choice, start
from tests.factories import NOW, create_question, create_quiz
from tests.regrade_helpers import commit, correct_key, find_differences

VERSION, OTHER_VERSION = uuid4(), uuid4()
KEY = (VERSION, "halves", '{"chosen": ["a"]}')
OTHER_KEYS = (
    (OTHER_VERSION, "halves", KEY[2]),
    (VERSION, "coverage", KEY[2]),
    (VERSION, "halves", '{"chosen": ["b"]}'),
    (VERSION, "halves", None),
)


def score(credit):
    share = Fraction(credit)
    return ItemScore(share, (build_rule("part", share, "reason"),), ("reason",))


def test_an_equal_answer_is_computed_once():
    scores = SlotScores()
    scores.use_rules(1)
    first = scores.find(KEY, lambda: score(1))
    assert scores.find((VERSION, "halves", str(KEY[2])), pytest.fail) is first
    assert first.outcome == score(1)


@pytest.mark.parametrize("other", OTHER_KEYS)
def test_another_version_method_or_answer_is_computed_by_itself(other):
    scores = SlotScores()
    scores.find(KEY, lambda: score(1))
    assert scores.find(other, lambda: score(0)).outcome == score(0)
    assert scores.find(KEY, pytest.fail).outcome == score(1)


def test_one_more_rule_computes_anew():
    scores = SlotScores()
    scores.use_rules(1)
    scores.find(KEY, lambda: score(1))
    scores.use_rules(1)
    assert scores.find(KEY, pytest.fail).outcome == score(1)
    scores.use_rules(2)
    assert scores.find(KEY, lambda: score(0)).outcome == score(0)


def test_no_more_scores_are_remembered_than_the_bound(monkeypatch):
    monkeypatch.setattr(slot_scores, "MAX_SCORES", 2)
    scores, computed = SlotScores(), []

    def compute(text):
        computed.append(text)
        return score(1)

    for text in ("1", "2", "3", "1", "1"):
        scores.find((VERSION, "halves", text), partial(compute, text))
    assert computed == ["1", "2", "3", "1"]


def test_a_long_answer_is_not_remembered():
    scores, computed = SlotScores(), []

    def compute():
        computed.append(1)
        return score(1)

    for _ in range(2):
        scores.find((VERSION, "halves", "x" * slot_scores.LONGEST_ANSWER), compute)
    assert len(computed) == 1
    for _ in range(2):
        scores.find((VERSION, "halves", "x" * (slot_scores.LONGEST_ANSWER + 1)), compute)
    assert len(computed) == 3


@pytest.mark.parametrize("outcome", [score(Fraction(1, 3)), NeedsManualGrading("essay")])
def test_a_score_is_stored_as_its_text_in_any_order(outcome):
    slot_score = build_slot_score(outcome)
    stored = item_score_to_json(outcome)
    assert json.loads(slot_score.text) == stored
    turned = json.dumps(dict(reversed(stored.items())), separators=(",", ":"))
    for _ in range(2):
        assert slot_score.is_stored_as(turned)
        assert not slot_score.is_stored_as(build_slot_score(score(0)).text)
        assert not slot_score.is_stored_as(None)


@pytest.mark.django_db
def test_a_run_scores_equal_answers_once_however_many_attempts(users, into, monkeypatch):
    questions = [create_question(into, f"q{number}", right="ab") for number in range(3)]
    quiz = create_quiz(users, questions, window_attempts=None)
    for letters in ("a", "b") * 5:
        attempt = start(quiz, users.learner)
        for slot in range(3):
            save_choice(attempt, slot, letters)
        finish(attempt)
    correct_key(questions[1], "b")
    commit(quiz, questions[1], users, RegradePolicy.BY_KEY)
    kind = KINDS["multiple_choice"]
    scored = []

    def count(content, key, answer, method):
        scored.append(answer)
        return compute(content, key, answer, method)

    compute = kind.score
    monkeypatch.setattr(kind, "score", count)
    assert continue_regrades(now=NOW) == (10, 10, 0)
    # Two answers to three questions, one of which is scored by both keys.
    assert len(scored) == 2 * (3 + 1)
    monkeypatch.undo()
    assert find_differences() == []


@pytest.mark.django_db
def test_first_gradings_score_equal_answers_once_and_verifying_scores_each(
    users, into, monkeypatch
):
    quiz = create_quiz(users, [create_question(into, "rivers", right="ab")], window_attempts=None)
    kind = KINDS["multiple_choice"]
    scored = []

    def count(content, key, answer, method):
        scored.append(answer)
        return compute(content, key, answer, method)

    compute = kind.score
    monkeypatch.setattr(kind, "score", count)
    for letters in ("a", "b", "a", "a", "b"):
        attempt = start(quiz, users.learner)
        save_choice(attempt, 0, letters)
        finish(attempt)
    finish(start(quiz, users.learner))
    assert len(scored) == 3  # "a", "b", and no answer
    assert find_differences() == []
    assert len(scored) == 3 + 6
