"""What guessing and memorising reach at least: as the draws of real attempts show."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from quizzes.publishing.blueprint import VersionItem, draw
from quizzes.publishing.farmability import (
    ItemGuesses,
    count_repeated,
    expect_random_guess,
    expect_select_all,
    find_certain_pass,
    guarantee_memorised,
)
from tests.quizzes.publishing.test_blueprint import choice

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
EIGHTY = Fraction(4, 5)


def pool(size: int, draw: int, trials: int | None = 1) -> ItemGuesses:
    return ItemGuesses(
        draw, Fraction(1), (HALF,) * size, (QUARTER,) * size, (trials,) * size, (1,) * size
    )


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 1000))
def test_a_draw_repeats_as_many_questions_as_real_attempts_do(size, drawn, seed):
    drawn = min(size, drawn)
    candidates = tuple(choice(f"q{number}") for number in range(size))
    item = VersionItem(0, drawn, Fraction(1), candidates)
    seen: set[str] = set()
    for attempt in range(1, 6):
        selected = draw([item], seed=f"{seed}/{attempt}", seen=seen)
        questions = {question.candidate.question for question in selected}
        assert len(questions & seen) == count_repeated([1] * size, drawn, attempt)
        seen |= questions


@given(st.lists(st.integers(1, 4), min_size=1, max_size=7), st.integers(1, 7), st.integers(0, 1000))
def test_a_draw_among_enemies_repeats_no_fewer_than_counted(set_sizes, drawn, seed):
    drawn = min(len(set_sizes), drawn)
    candidates = tuple(
        replace(choice(f"q{number}-{own}"), enemy_set=f"set{number}")
        for number, size in enumerate(set_sizes)
        for own in range(size)
    )
    item = VersionItem(0, drawn, Fraction(1), candidates)
    seen: set[str] = set()
    for attempt in range(1, 8):
        selected = draw([item], seed=f"{seed}/{attempt}", seen=seen)
        questions = {question.candidate.question for question in selected}
        assert len(questions & seen) >= count_repeated(set_sizes, drawn, attempt)
        seen |= questions


def test_shares_are_exact_and_weighted_by_points():
    items = [
        ItemGuesses(1, Fraction(3), (Fraction(1, 3),), (Fraction(1, 4),), (1,), (1,)),
        ItemGuesses(
            2, Fraction(1, 2), (Fraction(1), Fraction()), (HALF, Fraction(1, 6)), (1, 1), (1, 1)
        ),
    ]
    assert expect_select_all(items) == Fraction(1 + HALF, 4)
    assert expect_random_guess(items) == (Fraction(3, 4) + Fraction(1, 3)) / 4


def test_fixed_questions_are_known_in_the_second_attempt_and_pass_for_certain():
    items = [pool(1, 1), pool(1, 1)]
    assert [guarantee_memorised(items, attempt) for attempt in (1, 2)] == [0, 1]
    assert find_certain_pass(items, EIGHTY, None) == 2
    assert find_certain_pass(items, EIGHTY, 1) is None


def test_what_takes_trials_is_known_for_certain_after_them_where_all_is_asked_each_time():
    items = [pool(2, 2, 3), pool(1, 1, None), pool(1, 1, 1)]
    shares = [guarantee_memorised(items, attempt) for attempt in (1, 2, 3, 4, 100)]
    assert shares == [0, QUARTER, QUARTER, 3 * QUARTER, 3 * QUARTER]
    assert guarantee_memorised([pool(3, 2, 3)], 100) == 0


def test_a_large_pool_delays_the_certain_pass_to_the_attempt_in_which_it_is_used_up():
    assert find_certain_pass([pool(12, 3)], EIGHTY, None) == 5
    assert find_certain_pass([pool(12, 3)], EIGHTY, 4) is None
    assert find_certain_pass([pool(1000, 1)], EIGHTY, None) is None


def test_a_quiz_of_nothing_yields_nothing():
    assert guarantee_memorised([], 2) == expect_select_all([]) == expect_random_guess([]) == 0
