"""The order that two lists keep, and what a place then says."""

from hypothesis import given
from hypothesis import strategies as st

from quizzes.matching.list_order import AGAINST, MOST, find_order


def test_few_pairs_keep_no_order():
    assert find_order([(0, 0), (1, 1)], 9) is None


def test_shuffled_pairs_keep_no_order():
    assert find_order([(0, 4), (1, 3), (2, 0), (3, 1), (4, 2)], 5) is None


def test_a_place_between_its_neighbours_speaks_for_a_pair_and_another_against():
    kept = find_order([(0, 0), (1, 1), (3, 3), (4, 4)], 5)
    assert kept is not None
    assert kept.speaks(2, 2) == MOST
    assert kept.speaks(2, 4) == AGAINST
    assert kept.speaks(0, 0) > 0
    assert kept.speaks(9, 2) == AGAINST


def test_one_pair_out_of_order_does_not_undo_it():
    kept = find_order([(0, 0), (1, 4), (2, 2), (3, 3), (4, 5)], 6)
    assert kept is not None
    assert kept.right == (0, 2, 3, 5)
    assert kept.speaks(1, 4) == AGAINST


@given(st.permutations(range(7)))
def test_what_is_kept_rises_and_is_as_long_as_can_be(places):
    kept = find_order(list(enumerate(places)), 7)
    longest = [1] * 7
    for at in range(7):
        longest[at] += max(
            (longest[one] for one in range(at) if places[one] < places[at]), default=0
        )
    if kept is None:
        assert max(longest) < 0.8 * 7
    else:
        assert len(kept.right) == max(longest)
        assert sorted(kept.right) == list(kept.right)
