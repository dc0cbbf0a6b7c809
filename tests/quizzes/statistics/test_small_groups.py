"""Figures of so few attempts that they are a person's are withheld, and what would show them."""

import pytest

from quizzes.statistics.small_groups import FEWEST_SHOWN, find_small


@pytest.mark.parametrize(
    ("sizes", "withheld"),
    [
        ([], set()),
        ([5, 9], set()),
        ([11, 1], {0, 1}),
        ([11, 4, 6], {1, 2}),
        ([11, 4, 1], {1, 2}),
        ([20, 2, 2, 30], {0, 1, 2}),
        ([3], {0}),
        ([0, 7], set()),
    ],
)
def test_a_small_part_is_withheld_with_what_shows_it_by_difference(sizes, withheld):
    assert find_small(sizes) == withheld
    rest = sum(sizes[place] for place in withheld)
    assert not withheld or rest >= FEWEST_SHOWN or rest == sum(sizes)
