"""Marking a whole attempt from plain values, and adding up."""

from fractions import Fraction
from types import SimpleNamespace
from uuid import uuid4

import pytest

from grading.contract import ItemScore, NeedsManualGrading
from grading.essay.scoring import score_by_share
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest, Slot
from quizzes.bank.selectors import KeyAndFeedback, PublicVersion
from quizzes.publishing.policies import Policies
from quizzes.results import corrections, scoring
from quizzes.results.double_grading import EffectiveGrade

CONTENT: dict[str, Json] = {
    "options": [{"id": name, "pinned": False} for name in "abcd"],
    "none_apply": False,
    "shuffle": True,
}


def manifest(*slots: tuple[str, Fraction], kind: str = "multiple_choice") -> Manifest:
    questions = [
        Slot(uuid4(), uuid4(), kind, scoring_method, points, 0, tuple("abcd"))
        for scoring_method, points in slots
    ]
    return Manifest(
        uuid4(), "quiz", uuid4(), {}, "en", Policies(), Fraction(4, 5), "seed", tuple(questions)
    )


def marked(of: Manifest, *chosen: str | None) -> scoring.AttemptScore:
    answers = [
        None if letters is None else {"chosen": list(letters), "none_apply": False}
        for letters in chosen
    ]
    public_versions = [
        PublicVersion(s.version, 1, s.kind, s.scoring_method, CONTENT, "en", {}) for s in of.slots
    ]
    secrets = [KeyAndFeedback({"right": ["a", "b", "c"]}, "en", {}) for _ in of.slots]
    return scoring.score_attempt(of, answers, public_versions, secrets)


def test_each_slot_is_marked_by_its_own_scoring_method_and_points():
    of = manifest(("right_minus_wrong", Fraction(3)), ("all_or_nothing", Fraction(1)))
    score = marked(of, "ab", "ab")
    assert [
        item_score.credit for item_score in score.item_scores if isinstance(item_score, ItemScore)
    ] == [
        Fraction(2, 3),
        0,
    ]
    assert score.total == Fraction(2)
    assert score.maximum == Fraction(4)
    assert not score.passed
    assert not score.provisional


def test_unanswered_earns_nothing():
    assert marked(manifest(("halves", Fraction(1))), None).total == Fraction(0)


def test_the_pass_is_decided_on_the_exact_total():
    assert marked(manifest(*[("halves", Fraction(1, 3))] * 5), *["abc"] * 4, None).passed
    assert not marked(manifest(*[("halves", Fraction(1))] * 5), *["abc"] * 3, "ab", None).passed


def test_what_waits_for_a_person_counts_nothing_yet_and_makes_it_provisional(monkeypatch):
    essay = SimpleNamespace(score=lambda *_: NeedsManualGrading("essay"))
    monkeypatch.setattr(corrections, "KINDS", {**KINDS, "essay": essay})
    score = marked(manifest(("", Fraction(2)), kind="essay"), "a")
    assert score.provisional
    assert score.item_scores == (NeedsManualGrading("essay"),)
    assert score.total == Fraction(0)
    assert score.maximum == Fraction(2)


def test_a_slot_without_its_answer_is_a_mistake_and_not_a_zero():
    with pytest.raises(ValueError, match="zip"):
        marked(manifest(("halves", Fraction(1))))


def test_an_unknown_kind_is_a_mistake_and_not_a_zero():
    with pytest.raises(KeyError):
        marked(manifest(("halves", Fraction(1)), kind="telepathy"), "a")


def test_marks_by_persons_are_laid_over_what_waits_and_over_nothing_else(monkeypatch):
    essay = SimpleNamespace(score=lambda *_: NeedsManualGrading("essay"))
    monkeypatch.setattr(corrections, "KINDS", {**KINDS, "essay": essay})
    of = manifest(("", Fraction(2)), kind="essay")
    public_versions = [
        PublicVersion(s.version, 1, s.kind, s.scoring_method, CONTENT, "en", {}) for s in of.slots
    ]
    secrets = [KeyAndFeedback({}, "en", {}) for _ in of.slots]
    half = {0: [EffectiveGrade(1, 7, "first", score_by_share(1, 2))]}
    score = scoring.score_attempt(of, [{"text": "x"}], public_versions, secrets, half)
    assert (score.total, score.provisional) == (Fraction(1), False)
    by_machine = manifest(("all_or_nothing", Fraction(2)))
    answer = {"chosen": ["a", "b", "c"], "none_apply": False}
    key = [KeyAndFeedback({"right": ["a", "b", "c"]}, "en", {})]
    assert scoring.score_attempt(
        by_machine, [answer], public_versions, key, half
    ).total == Fraction(2)
