"""The values of the contract: exact, within bounds, and the same after a way through JSON."""

import json
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import (
    ENGINE_VERSION,
    InvalidAnswer,
    ItemScore,
    LedgerLine,
    NeedsManualGrading,
    Problem,
    PublicQuestion,
)
from grading.json_types import ratio_from_json, ratio_to_json
from grading.totals import AttemptOutcome, QuizOutcome
from tests.grading.strategies import FRACTIONS, JSON

HALF = Fraction(1, 2)
LINE = LedgerLine("a", chosen=True, right=True, earned=HALF, reason="right_chosen")
RULE = LedgerLine("floor", None, None, HALF, "not_below_zero")
STORED: Any = {
    "credit": [1, 1],
    "ledger": [
        {"part": "a", "chosen": True, "right": True, "earned": [1, 2], "reason": "right_chosen"},
        {
            "part": "floor",
            "chosen": None,
            "right": None,
            "earned": [1, 2],
            "reason": "not_below_zero",
        },
    ],
    "reasons": ["full_credit"],
}


def test_the_engine_has_a_version():
    assert ENGINE_VERSION == "1"


@given(st.fractions())
def test_a_ratio_survives_the_way_through_json(value):
    assert ratio_from_json(json.loads(json.dumps(ratio_to_json(value)))) == value


def test_a_ratio_is_written_in_lowest_terms_and_read_in_any():
    assert ratio_to_json(Fraction(4, -6)) == [-2, 3]
    assert ratio_from_json([4, 6]) == Fraction(2, 3)


@pytest.mark.parametrize(
    "stored",
    [
        None, 0.5, 1, "1/2", [], [1], [1, 2, 3], [1, 0], [1, -2], [0.5, 1], [1, 2.0],
        ["1", 2], [True, 2], [1, True], [None, 1], {"0": 1, "1": 2},
    ],
)  # fmt: skip
def test_anything_but_two_integers_is_no_ratio(stored):
    with pytest.raises(ValueError, match="two integers"):
        ratio_from_json(stored)


def test_a_mark_is_written_and_read_exactly():
    mark = ItemScore(Fraction(1), (LINE, RULE), ("full_credit",))
    assert mark.to_json() == STORED
    assert ItemScore.from_json(STORED) == mark


@given(st.lists(FRACTIONS, max_size=6))
def test_a_mark_is_the_sum_of_its_ledger_or_nothing_at_all(shares):
    ledger = tuple(
        LedgerLine(f"{place}", None, None, earned, "x") for place, earned in enumerate(shares)
    )
    total = sum(shares, Fraction(0))
    if total <= 1:
        assert ItemScore(total, ledger, ()).credit == total
    with pytest.raises(ValueError, match=r"adds up|at most"):
        ItemScore(total + Fraction(1, 97), ledger, ())


@pytest.mark.parametrize("credit", [Fraction(1001, 1000), Fraction(2)])
def test_a_credit_above_one_is_refused(credit):
    with pytest.raises(ValueError, match="1 at most"):
        ItemScore(credit, (LedgerLine("a", None, None, credit, "x"),), ())


@pytest.mark.parametrize("credit", [Fraction(-2), Fraction(-1, 3), Fraction(0), Fraction(1)])
def test_a_credit_may_be_everything_nothing_or_less(credit):
    assert ItemScore(credit, (LedgerLine("a", None, None, credit, "x"),), ()).credit == credit


def test_a_mark_that_is_not_a_fraction_is_refused_even_if_it_adds_up():
    inexact: Any = 0.5
    with pytest.raises(TypeError, match="end to end"):
        ItemScore(inexact, (LINE,), ())
    with pytest.raises(TypeError, match="end to end"):
        ItemScore(HALF, (LedgerLine("a", None, None, inexact, "x"),), ())


@pytest.mark.parametrize(
    "changed",
    [
        {"credit": [1, 2]},
        {"credit": 1},
        {"ledger": {}},
        {"ledger": []},
        {"ledger": [1]},
        {"ledger": [STORED["ledger"][0] | {"part": 1}]},
        {"ledger": [STORED["ledger"][0] | {"chosen": 1}]},
        {"ledger": [STORED["ledger"][0] | {"right": "yes"}]},
        {"ledger": [STORED["ledger"][0] | {"earned": 1}]},
        {"ledger": [STORED["ledger"][0] | {"reason": None}]},
        {"reasons": "full_credit"},
        {"reasons": [1]},
    ],
)
def test_a_stored_mark_that_was_tampered_with_is_refused(changed):
    with pytest.raises(ValueError, match=r"not a|adds up|two integers"):
        ItemScore.from_json({**STORED, **changed})


@given(JSON)
def test_whatever_is_no_mark_is_refused(stored):
    with pytest.raises(ValueError, match="not a mark"):
        ItemScore.from_json(stored)
    with pytest.raises(ValueError, match="not a line"):
        LedgerLine.from_json(stored)


@pytest.mark.parametrize(
    "value",
    [
        LINE,
        ItemScore(HALF, (LINE,), ()),
        Problem("key", "nothing_right", {}),
        PublicQuestion("essay", {}),
        InvalidAnswer("not_an_object", {}),
        NeedsManualGrading("essay"),
        AttemptOutcome(1, HALF, HALF, HALF),
        QuizOutcome(HALF, HALF, passed=True, numbers=(1,)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_value_can_be_changed_once_made(value):
    first = fields(value)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(value, first, None)
    assert not hasattr(value, "__dict__")
