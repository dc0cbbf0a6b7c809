"""The reveal matrix: every moment, state, role and fact, held against a table written by hand."""

from fractions import Fraction
from itertools import product

import pytest

from grading.contract import LedgerLine
from quizzes.attempts.models import State
from quizzes.publishing.models import RevealMoment
from quizzes.publishing.policies import RevealPolicy
from quizzes.results import reveal
from quizzes.results.reveal import EVERYTHING, LEARNER, NOTHING, OVERSEER, RevealContext, Visibility

ITEMS = ("score", "correctness", "feedback", "hints", "key", "explanation")
FACTS = ("passed", "exhausted", "closed")

# Which facts make a graded attempt's moment come; () alone: always; nothing: never.
COMES: dict[str, list[set[str]]] = {
    "never": [],
    "after_submit": [set()],
    "after_pass": [{"passed"}],
    "after_last_attempt": [{"passed"}, {"exhausted"}, {"closed"}],
    "after_close": [{"closed"}],
    "after_the_flood": [],
}


def test_the_table_knows_every_moment_that_an_author_may_choose():
    assert set(RevealMoment.values) < set(COMES)


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("moment", COMES)
@pytest.mark.parametrize("state", [*State.values, "unheard_of"])
@pytest.mark.parametrize("role", [LEARNER, OVERSEER, "stranger"])
def test_every_cell_of_the_matrix(item, moment, state, role):
    policy = RevealPolicy(**{**dict.fromkeys(ITEMS, "never"), item: moment})
    for values in product([False, True], repeat=len(FACTS)):
        true = {name for name, value in zip(FACTS, values, strict=True) if value}
        revealed = reveal.reveal(
            policy, RevealContext(state, role, **dict(zip(FACTS, values, strict=True)))
        )
        if role == OVERSEER:
            assert revealed == EVERYTHING
            continue
        came = any(needed <= true for needed in COMES[moment])
        expected = role == LEARNER and state == "graded" and came
        assert revealed == Visibility(**{item: expected})


@pytest.mark.parametrize(
    ("moment", "is_expected"), [("after_submit", True), ("after_close", False)]
)
def test_feedback_of_all_options_comes_with_feedback_only(moment, is_expected):
    policy = RevealPolicy(feedback=moment, all_options=True)
    revealed = reveal.reveal(policy, RevealContext("graded", LEARNER))
    assert (revealed.feedback, revealed.all_options) == (is_expected, is_expected)


def test_by_default_the_key_waits_for_the_last_attempt():
    fresh = reveal.reveal(RevealPolicy(), RevealContext("graded", LEARNER))
    assert fresh == Visibility(score=True, correctness=True, feedback=True, hints=True)
    last = reveal.reveal(RevealPolicy(), RevealContext("graded", LEARNER, exhausted=True))
    assert last == Visibility(
        score=True, correctness=True, feedback=True, hints=True, key=True, explanation=True
    )


def test_nothing_is_nothing_and_everything_all_there_is():
    assert not any(getattr(NOTHING, name) for name in Visibility.__dataclass_fields__)
    assert all(getattr(EVERYTHING, name) for name in Visibility.__dataclass_fields__)


# --- The ledger ------------------------------------------------------------------------------
THIRD = Fraction(1, 3)
LINES = (
    LedgerLine("a", chosen=True, right=True, earned=THIRD, reason="right_chosen"),
    LedgerLine("b", chosen=True, right=False, earned=-THIRD, reason="wrong_chosen"),
    LedgerLine("c", chosen=False, right=True, earned=Fraction(0), reason="missed"),
    LedgerLine("d", chosen=False, right=False, earned=THIRD, reason="rightly_left"),
    LedgerLine("floor", chosen=None, right=None, earned=THIRD, reason="floor"),
)


def total(lines):
    return sum((line.earned for line in lines), Fraction())


def test_with_the_key_the_ledger_is_shown_whole():
    assert reveal.ledger(LINES, EVERYTHING) == LINES


@pytest.mark.parametrize(
    "policy_fields",
    [NOTHING, Visibility(score=True), Visibility(correctness=True), Visibility(key=True)],
)
def test_without_score_or_correctness_there_is_no_ledger(policy_fields):
    assert reveal.ledger(LINES, policy_fields) == ()


def test_without_the_key_what_was_not_chosen_is_one_line_and_the_sum_stays():
    lines = reveal.ledger(LINES, Visibility(score=True, correctness=True))
    assert [line.part for line in lines] == ["a", "b", "floor", "not_chosen"]
    assert total(lines) == total(LINES)
    assert lines[-1] == LedgerLine(
        "not_chosen", chosen=False, right=None, earned=THIRD, reason="not_chosen"
    )


def test_without_the_key_nothing_names_a_part_that_was_not_chosen():
    lines = reveal.ledger(LINES, Visibility(score=True, correctness=True))
    assert {"c", "d"}.isdisjoint(line.part for line in lines)


def test_where_all_was_chosen_nothing_is_drawn_together():
    assert reveal.ledger(LINES[:2], Visibility(score=True, correctness=True)) == LINES[:2]
