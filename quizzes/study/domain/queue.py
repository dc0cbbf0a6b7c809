"""Which card is asked next, and how many are left today. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from quizzes.study.domain.replay import LEARNING, NEW, RELEARNING, REVIEWING
from quizzes.study.domain.times import StudyDay

LEARN_AHEAD: Final = timedelta(minutes=20)
"""A card in its short steps is asked so much earlier rather than have its learner wait."""


@dataclass(frozen=True, slots=True)
class QueuedCard:
    """What the order of cards rests on; `rank` orders new ones."""

    pk: int
    phase: str
    rank: int
    due_at: datetime | None = None
    buried_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How many new cards and reviews a day has, and how many of each there were today."""

    new: int
    reviews: int
    new_done: int = 0
    reviews_done: int = 0


@dataclass(frozen=True, slots=True)
class StudyQueue:
    """The cards of today, the next one first; `waiting` are in their short steps, not due yet.

    `due_tomorrow` counts reviews of the next day, without new cards.
    """

    learning: tuple[int, ...]
    reviews: tuple[int, ...]
    new: tuple[int, ...]
    waiting: tuple[int, ...]
    next_at: datetime | None
    due_tomorrow: int

    @property
    def order(self) -> tuple[int, ...]:
        """The cards in the order in which they are asked."""
        return (*self.learning, *self.reviews, *self.new, *self.waiting)

    @property
    def count(self) -> int:
        """How many cards are left today."""
        return len(self.order)


def build_queue(
    cards: Iterable[QueuedCard], *, limits: Limits, day: StudyDay, now: datetime
) -> StudyQueue:
    """Return the queue of these cards, none of which is suspended.

    Cards in their short steps are not limited; those that are not due within the day wait, as do
    buried ones. What is over a limit is for tomorrow.
    """
    ready = [card for card in cards if card.buried_until is None or card.buried_until <= now]
    timed = [(card.due_at, card.pk, card) for card in ready if card.due_at is not None]
    steps = sorted(row for row in timed if row[2].phase in {LEARNING, RELEARNING})
    reviews = sorted(row for row in timed if row[2].phase == REVIEWING)
    due = [pk for at, pk, _ in reviews if at < day.end]
    new = sorted((card.rank, card.pk) for card in ready if card.phase == NEW)
    within_limit = due[: max(0, limits.reviews - limits.reviews_done)]
    later = [(at, pk) for at, pk, _ in steps if at > now]
    tomorrow = day.end + timedelta(days=1)
    next_day = [pk for at, pk, _ in (*reviews, *steps) if day.end <= at < tomorrow]
    return StudyQueue(
        learning=tuple(pk for at, pk, _ in steps if at <= now),
        reviews=tuple(within_limit),
        new=tuple(pk for _, pk in new[: max(0, limits.new - limits.new_done)]),
        waiting=tuple(pk for at, pk in later if at <= now + LEARN_AHEAD),
        next_at=later[0][0] if later else None,
        due_tomorrow=len(next_day) + len(due) - len(within_limit),
    )
