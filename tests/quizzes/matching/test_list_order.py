"""The order that two lists keep, and what a place then says."""

from hypothesis import given
from hypothesis import strategies as st

from quizzes.matching.list_order import MAX_EVIDENCE, OUT_OF_ORDER, find_order


def test_few_pairs_keep_no_order():
    assert find_order([(0, 0), (1, 1)], 9) is None


def test_shuffled_pairs_keep_no_order():
    assert find_order([(0, 4), (1, 3), (2, 0), (3, 1), (4, 2)], 5) is None


def test_a_place_between_its_neighbours_speaks_for_a_pair_and_another_against():
    order = find_order([(0, 0), (1, 1), (3, 3), (4, 4)], 5)
    assert order is not None
    assert order.evidence(2, 2) == MAX_EVIDENCE
    assert order.evidence(2, 4) == OUT_OF_ORDER
    assert order.evidence(0, 0) > 0
    assert order.evidence(9, 2) == OUT_OF_ORDER


def test_one_pair_out_of_order_does_not_undo_it():
    order = find_order([(0, 0), (1, 4), (2, 2), (3, 3), (4, 5)], 6)
    assert order is not None
    assert order.right == (0, 2, 3, 5)
    assert order.evidence(1, 4) == OUT_OF_ORDER


@given(st.permutations(range(7)))
def test_what_is_kept_rises_and_is_as_long_as_can_be(places):
    order = find_order(list(enumerate(places)), 7)
    longest = [1] * 7
    for at in range(7):
        longest[at] += max(
            (longest[place] for place in range(at) if places[place] < places[at]), default=0
        )
    if order is None:
        assert max(longest) < 0.8 * 7
    else:
        assert len(order.right) == max(longest)
        assert sorted(order.right) == list(order.right)
