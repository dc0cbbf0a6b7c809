"""Learners who know nothing and keep all that is shown to them, simulated attempt by attempt. Pure.

Each answers what a shown key told; of the rest, what the trials so far have left, by lot. A guess
earns all or nothing, as often as it earns on average. Draws prefer what a learner has not met.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from random import Random

from quizzes.publishing.farmability import ItemGuesses
from quizzes.publishing.policies import RevealPolicy

LEARNERS = 1000
"""Simulated learners: a chance to pass is known to 3 points of a hundred or better."""
FEWEST_LEARNERS = 200
"""For which a chance to pass is known to 7 points of a hundred; of fewer, nothing is said."""
MOST_STEPS = 4_000_000
"""Of all that is simulated for one quiz: some seconds of a processor."""
AT_ONCE = "after_submit"


def find_disclosure(policy: RevealPolicy) -> str:
    """Return what is shown after each attempt, passed or not: "key", "parts" or nothing.

    An explanation tells the key; "parts" are right, wrong and feedback of what was chosen.
    """
    if AT_ONCE in {policy.key, policy.explanation}:
        return "key"
    return "parts" if AT_ONCE in {policy.correctness, policy.feedback} else ""


def set_trials(items: Sequence[ItemGuesses], disclosure: str) -> list[ItemGuesses]:
    """Return the items as they can be memorised where this is shown of them."""
    if disclosure == "parts":
        return list(items)
    trials = 1 if disclosure == "key" else None
    return [replace(item, trials=(trials,) * len(item.trials)) for item in items]


def scale_pool(items: Sequence[ItemGuesses], factor: int) -> list[ItemGuesses]:
    """Return the items as draws from so many times the questions that each asks."""
    return [_scale(item, factor) for item in items]


def _scale(item: ItemGuesses, factor: int) -> ItemGuesses:
    size = factor * item.draw
    positions = [number % len(item.trials) for number in range(size)]
    return replace(
        item,
        select_all=tuple(item.select_all[position] for position in positions),
        random_guess=tuple(item.random_guess[position] for position in positions),
        trials=tuple(item.trials[position] for position in positions),
        set_sizes=(1,) * size,
    )


def count_learners(pools: Sequence[Sequence[ItemGuesses]], attempts: int) -> int:
    """Return for how many learners all these pools can be simulated in time; 0: for too few."""
    steps = attempts * sum(_count_steps(item, attempts) for items in pools for item in items)
    learners = min(LEARNERS, MOST_STEPS // max(steps, 1))
    return learners if learners >= FEWEST_LEARNERS else 0


def _count_steps(item: ItemGuesses, attempts: int) -> int:
    """Return what one learner costs in one attempt: the questions looked at, and those answered."""
    size = len(item.trials)
    if item.draw == size:
        return 2 * size
    return item.draw + min(size, item.draw * attempts * max(item.set_sizes))


@dataclass(frozen=True, slots=True)
class MemorisedAttempt:
    """What simulated learners reach in one attempt: mean share of the points; part that passes."""

    mean: float
    passing: float


def simulate_memorising(
    items: Sequence[ItemGuesses],
    threshold: Fraction,
    attempts: int,
    *,
    learners: int = LEARNERS,
    seed: str = "",
) -> list[MemorisedAttempt]:
    """Return what so many learners reach in each attempt; the same arguments, the same figures."""
    random, maximum = Random(seed), float(sum(item.total for item in items)) or 1.0  # noqa: S311  a simulation, no secret
    shares: list[list[float]] = [[] for _ in range(attempts)]
    sets = [_split(item.set_sizes) for item in items]
    for _ in range(learners):
        draws = [
            _LearnerDraw(item, _sample_sets(own_sets, item.draw * attempts, random), random)
            for item, own_sets in zip(items, sets, strict=True)
        ]
        for own in shares:
            own.append(sum(draw.answer() for draw in draws) / maximum)
    # A sum of floats may miss the threshold by its last bit.
    least = float(threshold) - 1e-9
    return [
        MemorisedAttempt(sum(own) / learners, sum(share >= least for share in own) / learners)
        for own in shares
    ]


def _split(sizes: Sequence[int]) -> list[range]:
    """Return the questions of each set, by their numbers."""
    ends = list(accumulate(sizes))
    return [range(end - size, end) for size, end in zip(sizes, ends, strict=True)]


def _sample_sets(sets: Sequence[range], most: int, random: Random) -> Sequence[range]:
    """Return as many sets as a learner can meet at most: of a large pool the others cost time."""
    return sets if len(sets) <= most else random.sample(sets, most)


class _LearnerDraw:
    """One draw as one learner meets it, attempt after attempt."""

    def __init__(self, item: ItemGuesses, sets: Sequence[range], random: Random) -> None:
        self._random, self._draw, self._points = random, item.draw, float(item.points)
        self._trials, self._guesses = item.trials, item.random_guess
        self._set_of = {question: number for number, own in enumerate(sets) for question in own}
        self._unmet = set(self._set_of)
        self._wrong = dict.fromkeys(self._set_of, 0)  # how often each was answered wrong
        self._known: set[int] = set()

    def answer(self) -> float:
        """Answer what one attempt draws, keep what it shows, and return the points."""
        return sum(self._answer_question(question) for question in self._pick())

    def _pick(self) -> list[int]:
        """Return the questions of an attempt, as `blueprint.draw` does: new ones first."""
        if self._draw == len(self._set_of):
            return list(self._set_of)
        questions = self._random.sample(list(self._set_of), len(self._set_of))
        questions.sort(key=lambda question: question not in self._unmet)
        # Of those with the same key a dictionary has the last: reversed, the first of each set.
        first = {self._set_of[question]: question for question in reversed(questions)}
        picked = [question for question in questions if first[self._set_of[question]] == question]
        self._unmet.difference_update(picked[: self._draw])
        return picked[: self._draw]

    def _answer_question(self, question: int) -> float:
        if question in self._known:
            return self._points
        trials, wrong = self._trials[question], self._wrong[question]
        chance = float(self._guesses[question])
        if trials is not None and wrong:
            chance = 1 / (trials + 1 - wrong)
        is_right = self._random.random() < chance
        self._wrong[question] += not is_right
        if trials is not None and (is_right or wrong + 1 >= trials):
            self._known.add(question)
        return self._points * is_right
