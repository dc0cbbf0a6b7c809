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
    candidates = [_Candidates(item, attempts) for item in items]
    for _ in range(learners):
        draws = [_LearnerDraw(own_candidates, random) for own_candidates in candidates]
        for own in shares:
            own.append(sum([draw.answer() for draw in draws]) / maximum)
    # A sum of floats may miss the threshold by its last bit.
    least = float(threshold) - 1e-9
    return [
        MemorisedAttempt(sum(own) / learners, sum(share >= least for share in own) / learners)
        for own in shares
    ]


class _Candidates:
    """What a draw is to every learner: sets of questions by number, and floats, made once."""

    __slots__ = ("draw", "guesses", "most_sets", "points", "questions", "sets", "trials")

    def __init__(self, item: ItemGuesses, attempts: int) -> None:
        self.draw, self.points, self.trials = item.draw, float(item.points), item.trials
        self.guesses = [float(guess) for guess in item.random_guess]
        # More sets no learner can meet: those of a large pool would only cost time.
        self.most_sets = item.draw * attempts
        ends = list(accumulate(item.set_sizes))
        self.sets = [range(end - size, end) for size, end in zip(item.set_sizes, ends, strict=True)]
        self.questions = list(range(ends[-1]))


class _LearnerDraw:
    """One draw as one learner meets it, attempt after attempt."""

    __slots__ = ("_candidates", "_questions", "_random", "_sets", "_unknown", "_unmet")

    def __init__(self, candidates: _Candidates, random: Random) -> None:
        self._candidates, self._random = candidates, random
        self._sets, self._questions = candidates.sets, candidates.questions
        if len(self._sets) > candidates.most_sets:
            self._sets = random.sample(self._sets, candidates.most_sets)
            self._questions = [question for own in self._sets for question in own]
        self._unmet = set(self._questions)
        # How often each was answered wrong; who knows a question is not asked by lot again.
        self._unknown = dict.fromkeys(self._questions, 0)

    def answer(self) -> float:
        """Answer what one attempt draws, keep what it shows, and return the points."""
        candidates, unknown, earned = self._candidates, self._unknown, 0.0
        draws_all = candidates.draw == len(self._questions)
        for question in self._questions if draws_all else self._pick():
            if question not in unknown:
                earned += candidates.points
                continue
            trials, wrong = candidates.trials[question], unknown[question]
            chance = candidates.guesses[question]
            if trials is not None and wrong:
                chance = 1 / (trials + 1 - wrong)
            if self._random.random() < chance:
                earned += candidates.points
                if trials is not None:
                    del unknown[question]
            elif trials is not None and wrong + 1 >= trials:
                del unknown[question]
            else:
                unknown[question] = wrong + 1
        return earned

    def _pick(self) -> list[int]:
        """Return the questions of an attempt, as `blueprint.draw` does: new ones first."""
        picked = self._random.sample(self._questions, len(self._questions))
        if self._unmet:
            picked.sort(key=lambda question: question not in self._unmet)
        if len(self._sets) < len(picked):
            # Of those with the same key a dictionary has the last: reversed, the first of each set.
            set_of = {question: number for number, own in enumerate(self._sets) for question in own}
            first = {set_of[question]: question for question in reversed(picked)}
            picked = [question for question in picked if first[set_of[question]] == question]
        picked = picked[: self._candidates.draw]
        self._unmet.difference_update(picked)
        return picked
