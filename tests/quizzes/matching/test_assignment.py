"""The best assignment: against every assignment there is, and in time."""

import time
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from quizzes.matching.assignment import assign
from tests.quizzes.matching.banks import chance

weights = st.floats(0.01, 1, allow_nan=False)
tables = st.integers(0, 4).flatmap(
    lambda wide: st.lists(
        st.dictionaries(st.integers(0, max(wide - 1, 0)), weights, max_size=wide), max_size=4
    )
)


def best_of_all(table: list[dict[int, float]]) -> float:
    columns = [*range(4), *[None] * len(table)]
    return max(
        sum(row.get(column, 0.0) for row, column in zip(table, chosen, strict=True) if column != -1)
        for chosen in permutations(
            [-1 if column is None else column for column in columns], len(table)
        )
    )


@given(tables)
def test_no_assignment_has_a_greater_sum(table):
    assigned = assign(table)
    assert len(set(assigned.values())) == len(assigned)
    assert all(column in table[row] for row, column in assigned.items())
    assert (
        abs(sum(table[row][column] for row, column in assigned.items()) - best_of_all(table)) < 1e-9
    )


def test_a_row_gives_way_to_one_that_gains_more():
    assert assign([{0: 0.9, 1: 0.8}, {0: 0.7}]) == {0: 1, 1: 0}


def test_nothing_is_assigned_to_nothing():
    assert assign([]) == {}
    assert assign([{}, {}]) == {}


def test_two_thousand_rows_that_all_want_the_same_are_done_in_time():
    table = [
        {column: 0.5 + chance(row, column) / 100 for column in range(12)} for row in range(2000)
    ]
    begun = time.process_time()
    assert sorted(assign(table).values()) == list(range(12))
    assert time.process_time() - begun < 5
