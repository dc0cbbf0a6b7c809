"""Simulated learners who memorise: against exact chances, against real draws, and by policy."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from quizzes.publishing.blueprint import VersionItem, draw
from quizzes.publishing.farmability import ItemGuesses, count_repeated
from quizzes.publishing.memorising import (
    FEWEST_LEARNERS,
    LEARNERS,
    count_learners,
    find_disclosure,
    scale_pool,
    set_trials,
    simulate_memorising,
)
from quizzes.publishing.policies import RevealPolicy
from tests.quizzes.publishing.test_blueprint import choice

EIGHTY = Fraction(4, 5)
QUARTER = Fraction(1, 4)
NEAR = 0.03
"""Three standard errors of 4,000 learners, and more."""
KEY = RevealPolicy(key="after_submit")
PARTS = RevealPolicy()
NOTHING = RevealPolicy(correctness="never", feedback="after_pass")


def paper(size: int, trials: int | None = 3, sets: tuple[int, ...] = ()) -> ItemGuesses:
    """Ten questions out of so many, each with four options of which one is right."""
    blind = (QUARTER,) * size
    return ItemGuesses(10, Fraction(1), blind, blind, (trials,) * size, sets or (1,) * size)


def simulate(item: ItemGuesses, policy: RevealPolicy, attempts: int = 5):
    items = set_trials([item], find_disclosure(policy))
    return simulate_memorising(items, EIGHTY, attempts, learners=4000, seed="x")


def chance_to_pass(chance: float) -> float:
    """Return the chance of eight and more right out of ten."""
    return sum(comb(10, n) * chance**n * (1 - chance) ** (10 - n) for n in (8, 9, 10))


@pytest.mark.parametrize(
    ("policy", "disclosure"),
    [
        (KEY, "key"),
        (RevealPolicy(explanation="after_submit"), "key"),
        (PARTS, "parts"),
        (RevealPolicy(correctness="never"), "parts"),
        (NOTHING, ""),
        (RevealPolicy(correctness="after_pass", feedback="after_close"), ""),
    ],
)
def test_what_is_shown_after_each_attempt_is_what_can_be_memorised(policy, disclosure):
    assert find_disclosure(policy) == disclosure


def test_a_shown_key_passes_as_soon_as_the_pool_is_used_up():
    for factor in (1, 2, 4):
        figures = simulate(paper(10 * factor), KEY)
        for attempt, reached in enumerate(figures, start=1):
            is_known = attempt > factor
            assert (reached.passing == 1) == is_known
            assert abs(reached.mean - (1 if is_known else 0.25)) < NEAR


def test_right_and_wrong_pass_by_trying_one_option_after_the_other():
    """Exact: after n tries a question is known with a chance of (n + 1) / 4."""
    figures = simulate(paper(10), PARTS)
    for attempt, reached in enumerate(figures[:4], start=1):
        assert abs(reached.mean - attempt / 4) < NEAR
        assert abs(reached.passing - chance_to_pass(attempt / 4)) < NEAR
    assert [reached.passing for reached in figures[3:]] == [1, 1]


def test_where_nothing_is_shown_no_attempt_is_better_than_the_first():
    for reached in simulate(paper(10), NOTHING):
        assert abs(reached.mean - 0.25) < NEAR
        assert reached.passing < NEAR


def test_ticking_every_option_tells_all_of_them_at_once():
    assert simulate(paper(10, trials=1), PARTS, 2)[1].passing == 1


def test_what_is_typed_is_never_known_by_right_and_wrong_alone():
    assert all(reached.passing < NEAR for reached in simulate(paper(10, trials=None), PARTS))


@pytest.mark.parametrize("sets", [(1,) * 15, (2,) * 12, (1,) * 6 + (3,) * 5])
def test_questions_are_met_again_as_often_as_real_draws_repeat_them(sets):
    """The simulation draws by itself: a key that is shown is known where `draw` repeats it."""
    candidates = tuple(
        replace(choice(f"q{number}-{own}"), enemy_set=f"set{number}")
        for number, size in enumerate(sets)
        for own in range(size)
    )
    item = VersionItem(0, 10, Fraction(1), candidates)
    learners, repeated = 300, [0] * 4
    for learner in range(learners):
        seen: set[str] = set()
        for attempt in range(4):
            selected = draw([item], seed=f"{learner}/{attempt}", seen=seen)
            questions = {question.candidate.question for question in selected}
            repeated[attempt] += len(questions & seen)
            seen |= questions
    figures = simulate(paper(sum(sets), sets=sets), KEY, 4)
    for attempt, reached in enumerate(figures):
        known_part = repeated[attempt] / learners / 10
        assert abs(reached.mean - (known_part + (1 - known_part) / 4)) < NEAR
        assert known_part * 10 >= count_repeated(sets, 10, attempt + 1)


def test_the_same_arguments_give_the_same_figures_and_a_pool_keeps_its_questions():
    item = ItemGuesses(3, Fraction(2), (QUARTER,) * 2, (QUARTER, Fraction(1, 2)), (1, None), (1, 1))
    (scaled,) = scale_pool([item], 2)
    assert scaled.draw == 3
    assert scaled.random_guess == (QUARTER, Fraction(1, 2)) * 3
    assert scaled.trials == (1, None) * 3
    assert scaled.set_sizes == (1,) * 6
    once, again = (simulate_memorising([scaled], EIGHTY, 3, seed="a") for _ in range(2))
    assert once == again


def test_nothing_earns_nothing():
    assert simulate_memorising([], EIGHTY, 1)[0].mean == 0


def test_large_quizzes_are_simulated_for_fewer_learners_and_the_largest_for_none():
    def count(questions: int) -> int:
        fixed = ItemGuesses(1, Fraction(1), (QUARTER,), (QUARTER,), (3,), (1,))
        items = [fixed] * questions
        return count_learners([items, *(scale_pool(items, factor) for factor in (1, 2, 4))], 5)

    assert count(10) == LEARNERS
    assert FEWEST_LEARNERS <= count(200) < LEARNERS
    assert count(500) == 0
    assert count_learners([[paper(400)]], 5) == LEARNERS


def test_a_simulation_made_faster_gives_the_figures_that_it_gave():
    """Fixed questions, large draws, enemies, other points: as printed before it was made faster."""
    fixed = [
        ItemGuesses(
            1,
            Fraction(n % 3 + 1, 2),
            (QUARTER,),
            (Fraction(1, n % 5 + 2),),
            ((1, 3, None)[n % 3],),
            (1,),
        )
        for n in range(20)
    ]
    guesses = tuple(Fraction(1, n % 4 + 2) for n in range(30))
    drawn = ItemGuesses(
        5, Fraction(1, 3), (QUARTER,) * 30, guesses, (3, 1, None) * 10, (1,) * 10 + (2,) * 10
    )
    all_asked = ItemGuesses(
        3, Fraction(1), (QUARTER,) * 3, (Fraction(1, 3),) * 3, (2,) * 3, (1,) * 3
    )
    figures = simulate_memorising([*fixed, drawn, all_asked], EIGHTY, 5, learners=1000, seed="quiz")
    assert [(round(reached.mean, 12), reached.passing) for reached in figures] == [
        (0.294737931034, 0.0),
        (0.502675862069, 0.002),
        (0.61075862069, 0.012),
        (0.686206896552, 0.053),
        (0.68315862069, 0.053),
    ]
