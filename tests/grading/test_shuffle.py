"""Seeded order: the same for ever, fair, and respectful of pins."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.shuffle import _below, shuffle_ids, shuffle_unpinned

IDS = st.lists(st.text(max_size=3), unique=True, max_size=12)
PARTS = st.lists(st.tuples(st.text(max_size=3), st.booleans()), max_size=12)


@pytest.mark.parametrize(
    ("seed", "expected"),
    [("", "gcbfdahkjeli"), ("1", "ibcjflahedkg"), ("a seed, año", "ghifjcdkaelb")],
)
def test_a_seed_gives_the_same_order_on_every_machine_for_ever(seed, expected):
    assert "".join(shuffle_ids("abcdefghijkl", seed)) == expected


@given(IDS, st.text())
def test_shuffling_loses_and_invents_nothing(ids, seed):
    assert sorted(shuffle_ids(ids, seed)) == sorted(ids)


@given(IDS, st.text())
def test_the_same_seed_gives_the_same_order(ids, seed):
    assert shuffle_ids(ids, seed) == shuffle_ids(tuple(ids), seed)


def test_every_order_is_equally_likely():
    seen = Counter(shuffle_ids("abcd", f"learner {number}") for number in range(4800))
    assert set(seen) == set(permutations("abcd"))
    expected = 4800 / 24
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 49.7  # p = 0.001


def test_numbers_that_would_make_some_orders_likelier_are_drawn_anew():
    """Of the numbers of 64 bits all but the last can be shared out evenly among three."""
    last = 2**64 - 1
    assert _below(3, iter([last - 1])) == 2
    assert _below(3, iter([last, 4])) == 1
    assert _below(2, iter([last])) == 1


def test_more_items_than_one_hash_can_place_are_shuffled_too():
    many = [f"{number:03d}" for number in range(200)]
    mixed = shuffle_ids(many, "seed")
    assert sorted(mixed) == many
    assert sum(first == other for first, other in zip(mixed, many, strict=True)) < 10


@given(PARTS, st.text())
def test_a_pinned_part_keeps_its_place(parts, seed):
    result = shuffle_unpinned(parts, seed)
    assert sorted(result) == sorted(part for part, _ in parts)
    for place, (part, pinned) in enumerate(parts):
        assert not pinned or result[place] == part


def test_what_is_not_pinned_moves():
    parts = [("a", False), ("b", False), ("c", False), ("all of these", True)]
    results = {shuffle_unpinned(parts, f"{number}") for number in range(200)}
    assert len(results) == 6


def test_without_pins_ordering_is_shuffling():
    assert shuffle_unpinned([(id_, False) for id_ in "abcdef"], "seed") == shuffle_ids(
        "abcdef", "seed"
    )
