"""The state of a card is a function of its log: of what is in it, not of how it arrived."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.study.domain import replay
from quizzes.study.domain.replay import (
    AGAIN,
    EASY,
    GOOD,
    HARD,
    LEARNING,
    NEW,
    RELEARNING,
    REVIEWING,
    CardState,
    LogEntry,
)

START = datetime(2026, 11, 1, 9, tzinfo=UTC)


def reviewed(*steps: tuple[int, timedelta]) -> CardState:
    """Return the state of a card that was reviewed with these ratings, so long after START."""
    return replay.replay(
        LogEntry(UUID(int=number), replay.REVIEW, START + after, rating=rating)
        for number, (rating, after) in enumerate(steps)
    )


@st.composite
def logs(draw):
    """Return the log of a card: reviews, burials, suspensions, and undos of any of them."""
    count = draw(st.integers(1, 10))
    entries = []
    for number in range(count):
        action = draw(st.sampled_from([replay.REVIEW] * 4 + [replay.BURY, replay.SUSPEND]))
        at = START + timedelta(minutes=draw(st.integers(0, 40 * 1440)))
        entries.append(
            LogEntry(
                UUID(int=number),
                action,
                at,
                retention=draw(st.sampled_from([800, 900, 950])),
                rating=draw(st.sampled_from(replay.RATINGS)) if action == replay.REVIEW else None,
                rests_until=at + timedelta(days=1) if action == replay.BURY else None,
            )
        )
    undone = draw(st.lists(st.sampled_from(entries), max_size=3))
    entries += [
        LogEntry(UUID(int=100 + number), replay.UNDO, START, undoes=each.id)
        for number, each in enumerate(undone)
    ]
    return entries


@given(log=logs(), data=st.data())
def test_the_order_of_arrival_changes_nothing(log, data):
    assert replay.replay(data.draw(st.permutations(log))) == replay.replay(log)


@given(log=logs())
def test_undoing_everything_leaves_a_new_card(log):
    undos = [
        LogEntry(UUID(int=200 + number), replay.UNDO, START, undoes=each.id)
        for number, each in enumerate(log)
    ]
    assert replay.replay([*log, *undos]) == CardState()


@given(log=logs())
def test_an_undone_entry_is_as_if_it_had_never_been(log):
    undone = {each.undoes for each in log if each.action == replay.UNDO}
    rest = [each for each in log if each.id not in undone and each.action != replay.UNDO]
    assert replay.replay(log) == replay.replay(rest)


@given(log=logs())
def test_reviews_are_counted_and_due_after_the_last(log):
    state = replay.replay(log)
    reviews = [each for each in replay.list_effective(log) if each.action == replay.REVIEW]
    assert state.review_count == len(reviews)
    assert (state.phase == NEW) == (not reviews)
    if reviews:
        assert state.due_at
        assert state.first_reviewed_at == reviews[0].reviewed_at
        assert state.last_reviewed_at == reviews[-1].reviewed_at
        assert state.due_at > state.last_reviewed_at


def test_phases_go_by_ratings():
    first = (GOOD, timedelta())
    second = (GOOD, timedelta(minutes=10))
    assert reviewed(first).phase == LEARNING
    familiar = reviewed(first, second)
    assert familiar.phase == REVIEWING
    assert familiar.due_at
    assert familiar.last_reviewed_at
    assert familiar.due_at - familiar.last_reviewed_at >= timedelta(days=1)
    forgotten = reviewed(first, second, (AGAIN, timedelta(days=3)))
    assert (forgotten.phase, forgotten.lapses) == (RELEARNING, 1)
    assert reviewed((EASY, timedelta())).phase == REVIEWING
    assert reviewed((AGAIN, timedelta())).lapses == 0


def test_intervals_grow_with_the_rating_and_with_each_review():
    familiar = reviewed((GOOD, timedelta()), (GOOD, timedelta(minutes=10)))
    assert familiar.due_at
    assert familiar.last_reviewed_at
    intervals = replay.preview_intervals(familiar, at=familiar.due_at, retention=900)
    assert intervals[AGAIN] < intervals[HARD] <= intervals[GOOD] < intervals[EASY]
    assert intervals[GOOD] > familiar.due_at - familiar.last_reviewed_at
    after = replay.review(familiar, GOOD, at=familiar.due_at, retention=900)
    assert after.due_at == familiar.due_at + intervals[GOOD]


def test_who_wants_to_recall_more_is_asked_sooner():
    familiar = reviewed((GOOD, timedelta()), (GOOD, timedelta(minutes=10)))
    assert familiar.due_at
    relaxed, strict = (
        replay.preview_intervals(familiar, at=familiar.due_at, retention=retention)[GOOD]
        for retention in (800, 950)
    )
    assert strict < relaxed


def test_the_stability_is_what_the_library_documents():
    """Known values of FSRS-6: six reviews, as in the tests of py-fsrs 6."""
    state = CardState()
    at = datetime(2022, 11, 29, 12, 30, tzinfo=UTC)
    gaps = (0, 0, 1, 3, 8, 21)
    for rating, days in zip((AGAIN, GOOD, GOOD, GOOD, GOOD, GOOD), gaps, strict=True):
        at += timedelta(days=days)
        state = replay.review(state, rating, at=at, retention=900)
    assert state.stability == pytest.approx(53.62691, abs=1e-4)
    assert state.difficulty == pytest.approx(6.3574867, abs=1e-4)


def test_bury_and_suspend_are_of_the_log():
    bury = LogEntry(UUID(int=1), replay.BURY, START, rests_until=START + timedelta(days=1))
    suspend = LogEntry(UUID(int=2), replay.SUSPEND, START)
    again = LogEntry(UUID(int=3), replay.UNSUSPEND, START + timedelta(seconds=1))
    assert replay.replay([bury]).buried_until == bury.rests_until
    assert replay.replay([suspend]).is_suspended
    assert not replay.replay([again, suspend]).is_suspended
    undo = LogEntry(UUID(int=4), replay.UNDO, START, undoes=again.id)
    assert replay.replay([suspend, again, undo]).is_suspended
    assert replay.replay([replace(bury, id=UUID(int=9)), undo]).buried_until
