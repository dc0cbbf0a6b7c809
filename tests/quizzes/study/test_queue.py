"""Which card comes next, and how many are left."""

from datetime import UTC, datetime, timedelta

from quizzes.study.domain.queue import Limits, QueuedCard, build_queue
from quizzes.study.domain.replay import LEARNING, NEW, RELEARNING, REVIEWING
from quizzes.study.domain.times import StudyDay

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY = StudyDay(NOW - timedelta(hours=8), NOW + timedelta(hours=16))


def card(pk, phase, rank=0, buried_for=None, **due):
    due_at = NOW + timedelta(**due) if due else None
    return QueuedCard(pk, phase, rank, due_at, buried_until=buried_for and NOW + buried_for)


def queue(*cards, **limits):
    return build_queue(
        cards, limits=Limits(**{"new": 10, "reviews": 10} | limits), day=DAY, now=NOW
    )


def test_short_steps_come_first_then_reviews_then_new_cards_then_steps_that_wait():
    result = queue(
        card(1, NEW, rank=2),
        card(2, NEW, rank=1),
        card(3, REVIEWING, hours=3),
        card(4, REVIEWING, days=-2),
        card(5, LEARNING, minutes=-1),
        card(6, RELEARNING, minutes=9),
        card(7, LEARNING, minutes=40),
    )
    assert result.order == (5, 4, 3, 2, 1, 6)
    assert result.count == 6
    assert result.next_at == NOW + timedelta(minutes=9)


def test_what_is_over_a_limit_is_for_tomorrow():
    cards = [card(number, REVIEWING, hours=-number) for number in range(1, 6)]
    cards += [card(number, NEW) for number in range(11, 16)]
    result = queue(*cards, new=3, new_done=1, reviews=4, reviews_done=2)
    assert result.reviews == (5, 4)
    assert result.new == (11, 12)
    assert result.due_tomorrow == 3
    nothing = queue(*cards, new=1, new_done=4, reviews=1, reviews_done=4)
    assert (nothing.order, nothing.due_tomorrow) == ((), 5)


def test_reviews_are_due_by_the_day():
    result = queue(card(1, REVIEWING, hours=15), card(2, REVIEWING, hours=17))
    assert result.order == (1,)
    assert result.due_tomorrow == 1


def test_buried_cards_wait():
    hour = timedelta(hours=1)
    assert queue(card(1, NEW, buried_for=hour), card(2, NEW, buried_for=-hour)).order == (2,)
