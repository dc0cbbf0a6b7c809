"""What a quiz yields to who knows nothing: to ticking everything, guessing, memorising. Pure.

Draws prefer questions that a learner has not met, so from a draw that shares its questions with no
other it is known exactly how many each attempt repeats; with enemies, at least how many. What is
not certain is simulated (`memorising.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

MOST_ATTEMPTS = 100
"""Later attempts are not looked at: before, every draw of a sensible size repeats all it has."""


@dataclass(frozen=True, slots=True)
class ItemGuesses:
    """A place of a quiz: how many it draws, their points each, and blind credits of its candidates.

    `select_all` and `random_guess`: a credit (0 to 1) for each candidate. `trials`: for each, how
    many answers tell its key by what is shown of them; None: they never do. `set_sizes`: how many
    candidates are in each set of enemies; a question without enemies is a set of one.
    """

    draw: int
    points: Fraction
    select_all: tuple[Fraction, ...]
    random_guess: tuple[Fraction, ...]
    trials: tuple[int | None, ...]
    set_sizes: tuple[int, ...]

    @property
    def total(self) -> Fraction:
        """What its questions can earn together."""
        return self.points * self.draw


def count_repeated(set_sizes: Sequence[int], draw: int, attempt: int) -> int:
    """Return how many questions of an attempt (from 1) a draw by itself repeats, at least.

    Exact where no set has more than one question. A draw takes at most one question of each set,
    and a new one as long as a set has one, so what counts is how many sets are used up: few, where
    what was met is spread over large sets.
    """
    # However chance spreads them, so many different questions were met at least.
    met, used_up_by = 0, list(accumulate(sorted(set_sizes)))
    for _ in range(attempt - 1):
        most_used_up = sum(needed <= met for needed in used_up_by)
        met += min(draw, len(set_sizes) - most_used_up)
    # A set gives one question an attempt; all but its last one leave it a new one.
    spread = sum(min(size, attempt) - 1 for size in set_sizes)
    fewest_used_up = max(0, met - spread)
    return max(0, draw - (len(set_sizes) - fewest_used_up))


def expect_select_all(items: Sequence[ItemGuesses]) -> Fraction:
    """Return the mean share of the points that ticking everything earns; 0 of no points."""
    return _share(items, [_mean(guesses.select_all) for guesses in items])


def expect_random_guess(items: Sequence[ItemGuesses]) -> Fraction:
    """Return the mean share of the points that random answers earn."""
    return _share(items, [_mean(guesses.random_guess) for guesses in items])


def guarantee_memorised(items: Sequence[ItemGuesses], attempt: int) -> Fraction:
    """Return the share that known keys earn in this attempt at least, whatever is guessed."""
    return _share(items, [_known_part(guesses, attempt) for guesses in items])


def find_certain_pass(
    items: Sequence[ItemGuesses], threshold: Fraction, max_attempts: int | None
) -> int | None:
    """Return the first attempt in which known keys alone pass; None: none of those allowed."""
    last = min(max_attempts or MOST_ATTEMPTS, MOST_ATTEMPTS)
    attempts = range(2, last + 1)
    return next((n for n in attempts if guarantee_memorised(items, n) >= threshold), None)


def _known_part(guesses: ItemGuesses, attempt: int) -> Fraction:
    """Return which part of a draw is known in an attempt, at least."""
    if len(guesses.trials) == guesses.draw:  # all of them are asked each time
        known_count = sum(trials is not None and attempt > trials for trials in guesses.trials)
        return Fraction(known_count, guesses.draw)
    if any(trials != 1 for trials in guesses.trials):
        return Fraction()  # nobody knows which of those that are repeated were met so often
    return Fraction(count_repeated(guesses.set_sizes, guesses.draw, attempt), guesses.draw)


def _mean(shares: Sequence[Fraction]) -> Fraction:
    return sum(shares, Fraction()) / len(shares) if shares else Fraction()


def _share(items: Sequence[ItemGuesses], shares: Sequence[Fraction]) -> Fraction:
    """Return the part of all points that these shares of its items earn, one for each item."""
    maximum = sum((guesses.total for guesses in items), Fraction())
    earned = sum(
        (guesses.total * credit for guesses, credit in zip(items, shares, strict=True)), Fraction()
    )
    return earned / maximum if maximum else Fraction()
