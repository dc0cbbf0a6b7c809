"""Marks by persons are exact: by the levels they chose, or the share they gave."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.essay.scoring import score_by_levels, score_by_share, score_unanswered


def key(*criteria: tuple[int, ...]):
    """A key whose criteria are c0, c1, …, with levels c0.0, c0.1, … of these points."""
    return {
        "criteria": [{"id": f"c{n}"} for n in range(len(criteria))],
        "levels": [
            {"id": f"c{n}.{m}", "criterion": f"c{n}", "points": points}
            for n, levels in enumerate(criteria)
            for m, points in enumerate(levels)
        ],
    }


def test_a_mark_has_a_line_a_criterion_named_by_the_level():
    mark = score_by_levels(key((0, 2, 4), (0, 3)), {"c0": "c0.1", "c1": "c1.1"})
    assert mark.credit == Fraction(5, 7)
    assert [(line.part, line.chosen, line.right, line.earned) for line in mark.ledger] == [
        ("c0.1", True, None, Fraction(2, 7)),
        ("c1.1", True, None, Fraction(3, 7)),
    ]
    assert mark.reasons == ("marked_by_a_person",)


POINTS = st.lists(
    st.lists(st.integers(0, 20), min_size=2, max_size=5).filter(any).map(tuple),
    min_size=1,
    max_size=6,
)


@given(POINTS, st.randoms(use_true_random=False))
def test_a_mark_adds_up_and_a_better_level_never_earns_less(criteria, chance):
    chosen = [chance.randrange(len(levels)) for levels in criteria]
    best = [levels.index(max(levels)) for levels in criteria]
    mark = score_by_levels(key(*criteria), {f"c{n}": f"c{n}.{m}" for n, m in enumerate(chosen)})
    most = score_by_levels(key(*criteria), {f"c{n}": f"c{n}.{m}" for n, m in enumerate(best)})
    assert mark.credit == sum(line.earned for line in mark.ledger)
    assert 0 <= mark.credit <= most.credit == 1


@pytest.mark.parametrize(
    "levels",
    [
        {},
        {"c0": "c0.1"},
        {"c0": "c0.1", "c1": "c0.1"},
        {"c0": "c0.1", "c1": "nothing"},
        {"c0": "c0.1", "c1": "c1.1", "c2": "c2.0"},
    ],
)
def test_a_mark_names_one_level_of_each_criterion(levels):
    with pytest.raises(ValueError, match="criterion"):
        score_by_levels(key((0, 1), (0, 1)), levels)


def test_where_there_are_no_criteria_there_is_nothing_to_choose():
    with pytest.raises(ValueError, match="criterion"):
        score_by_levels({}, {})


def test_a_share_is_given_as_it_is():
    mark = score_by_share(6, 8)
    assert mark.credit == Fraction(3, 4)
    assert [(line.part, line.chosen, line.earned) for line in mark.ledger] == [
        ("share", None, Fraction(3, 4))
    ]


@pytest.mark.parametrize(("numerator", "denominator"), [(-1, 2), (3, 2), (0, 0), (1, -2)])
def test_a_share_lies_between_nothing_and_everything(numerator, denominator):
    with pytest.raises(ValueError, match="between"):
        score_by_share(numerator, denominator)


def test_what_was_never_answered_earns_nothing_and_says_so():
    assert score_unanswered().credit == 0
    assert score_unanswered().reasons == ("unanswered",)
