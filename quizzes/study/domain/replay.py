"""The state of a card is what its log comes to, whatever the order in which entries arrived.

Entries are taken by the time of the review, then by the id that the device gave them. An undo takes
back the entry it names, wherever both stand. Nothing here is by chance: the intervals of FSRS are
not fuzzed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from uuid import UUID

from fsrs import Card, Rating, Scheduler, State

REVIEW, UNDO, BURY, SUSPEND, UNSUSPEND = "review", "undo", "bury", "suspend", "unsuspend"
NEW, LEARNING, REVIEWING, RELEARNING = "new", "learning", "review", "relearning"
"""Phases of a card: never reviewed; in the short steps at first; by days; in steps again."""

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
RATINGS: Final = (AGAIN, HARD, GOOD, EASY)
LONGEST_INTERVAL: Final = 3650
"""Days."""

_STATES: Final[Mapping[str, State]] = {
    LEARNING: State.Learning,
    REVIEWING: State.Review,
    RELEARNING: State.Relearning,
}
_PHASES: Final = {state: phase for phase, state in _STATES.items()}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a card's log. `retention` is the share to be recalled, in thousandths.

    A review has a `rating`, a bury the time until which the card `rests_until`, an undo the id of
    the entry that it `undoes`.
    """

    id: UUID
    action: str
    reviewed_at: datetime
    retention: int = 900
    rating: int | None = None
    rests_until: datetime | None = None
    undoes: UUID | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class CardState:
    """Where a card stands. `stability` is in days, `difficulty` from 1 to 10, by FSRS.

    `lapses` counts how often it was forgotten after it had been known.
    """

    phase: str = NEW
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due_at: datetime | None = None
    first_reviewed_at: datetime | None = None
    last_reviewed_at: datetime | None = None
    last_language: str = ""
    review_count: int = 0
    lapses: int = 0
    is_suspended: bool = False
    buried_until: datetime | None = None


STATE_FIELDS: Final = tuple(field.name for field in fields(CardState))


def replay(entries: Iterable[LogEntry]) -> CardState:
    """Return the state that these entries of one card come to."""
    state = CardState()
    for entry in list_effective(entries):
        if entry.action == REVIEW and entry.rating is not None:
            state = review(
                state,
                entry.rating,
                at=entry.reviewed_at,
                retention=entry.retention,
                language=entry.language,
            )
        elif entry.action == BURY:
            state = replace(state, buried_until=entry.rests_until)
        elif entry.action in {SUSPEND, UNSUSPEND}:
            state = replace(state, is_suspended=entry.action == SUSPEND)
    return state


def list_effective(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries that count, in the order in which they happened: none that was undone."""
    ordered = sorted(entries, key=lambda entry: (entry.reviewed_at, entry.id.hex))
    undone = {entry.undoes for entry in ordered if entry.action == UNDO}
    return [entry for entry in ordered if entry.action != UNDO and entry.id not in undone]


def review(
    state: CardState, rating: int, *, at: datetime, retention: int, language: str = ""
) -> CardState:
    """Return the state after a review with this rating."""
    card = Card(
        card_id=0,
        state=_STATES.get(state.phase, State.Learning),
        step=state.step,
        stability=state.stability,
        difficulty=state.difficulty,
        due=at,
        last_review=state.last_reviewed_at,
    )
    at = at.astimezone(UTC)
    card, _ = build_scheduler(retention).review_card(card, Rating(rating), at)
    return replace(
        state,
        phase=_PHASES[card.state],
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due_at=card.due,
        first_reviewed_at=state.first_reviewed_at or at,
        last_reviewed_at=at,
        last_language=language,
        review_count=state.review_count + 1,
        lapses=state.lapses + (state.phase == REVIEWING and rating == AGAIN),
    )


def preview_intervals(state: CardState, *, at: datetime, retention: int) -> dict[int, timedelta]:
    """Return by rating after how long the card would come again."""
    next_states = {rating: review(state, rating, at=at, retention=retention) for rating in RATINGS}
    return {rating: after.due_at - at for rating, after in next_states.items() if after.due_at}


@cache
def build_scheduler(retention: int) -> Scheduler:
    """Return FSRS-6 with its own parameters, for a share to be recalled in thousandths."""
    return Scheduler(
        desired_retention=retention / 1000,
        maximum_interval=LONGEST_INTERVAL,
        enable_fuzzing=False,
    )
