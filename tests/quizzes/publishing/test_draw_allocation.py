"""Whether overlapping draws can all be served: as by trying every combination."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from quizzes.publishing.draw_allocation import Shortage, count_drawable, find_shortages

POOLS = st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(0, 5))), min_size=1, max_size=4)


def can_serve(draws, pools, used=frozenset()) -> bool:
    """Try every combination of questions for each draw, one after the other."""
    if not draws:
        return True
    return any(
        can_serve(draws[1:], pools[1:], used | set(chosen))
        for chosen in combinations(sorted(pools[0] - used), draws[0])
    )


@given(POOLS)
def test_shortages_are_found_exactly_where_no_combination_serves_all(quiz):
    draws, pools = [draw for draw, _ in quiz], [pool for _, pool in quiz]
    shortages = find_shortages(draws, pools)
    assert (not shortages) == can_serve(draws, pools)
    for shortage in shortages:
        competing = set().union(*(pools[place] for place in shortage.places))
        assert shortage.available == len(competing)
        assert shortage.needed == sum(draws[place] for place in shortage.places)
        assert shortage.needed > shortage.available
    places = [place for shortage in shortages for place in shortage.places]
    assert len(places) == len(set(places))


@given(POOLS)
def test_the_most_a_draw_could_take_beside_the_others_is_exact(quiz):
    draws, pools = [draw for draw, _ in quiz], [pool for _, pool in quiz]
    if find_shortages(draws, pools):
        return
    for place, most in enumerate(count_drawable(draws, pools)):
        possible = [
            draw
            for draw in range(len(pools[place]) + 1)
            if can_serve([*draws[:place], draw, *draws[place + 1 :]], pools)
        ]
        assert most == max(possible)


def test_draws_that_overlap_in_part_can_be_served_though_each_could_take_what_the_other_needs():
    assert find_shortages([2, 2], [{1, 2, 3}, {2, 3, 4}]) == ()


def test_only_the_draws_that_compete_are_named():
    shortages = find_shortages([2, 1, 3, 1], [{1, 2}, {8, 9}, {1, 2, 3}, {9}])
    assert shortages == (Shortage((0, 2), 5, 3),)


def test_five_hundred_draws_of_one_bank_are_one_source():
    bank = set(range(2000))
    assert count_drawable([1] * 500, [bank] * 500) == (1501,) * 500
