"""Streaks that forgive, topics with how sure they are, cards by day."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from quizzes.bank.services import set_tags
from quizzes.study import progress, selectors
from quizzes.study.domain import mastery, replay
from quizzes.study.domain.mastery import estimate_mastery
from quizzes.study.domain.streak import Streak, find_streak
from tests.attempt_helpers import later, take_quiz
from tests.factories import NOW, create_quiz
from tests.quizzes.study.helpers import entry, send

TODAY = date(2026, 11, 25)


def days(*back):
    return {TODAY - timedelta(days=number) for number in back}


@pytest.mark.parametrize(
    ("studied", "streak"),
    [
        (days(), Streak(0, 0)),
        (days(0), Streak(1, 0)),
        (days(1, 2), Streak(2, 0)),  # today may still come
        (days(0, 1, 3, 4), Streak(4, 1)),  # a missed day is forgiven
        (days(0, 1, 4), Streak(2, 0)),  # two in a row are not
        (days(0, 2, 4), Streak(2, 1)),  # nor two in a week
        (days(0, 2, 3, 4, 5, 6, 8), Streak(6, 1)),
        (days(0, 2, 3, 4, 5, 6, 7, 8, 10), Streak(9, 2)),
        (days(2, 3), Streak(2, 1)),
        (days(3, 4), Streak(0, 0)),
    ],
)
def test_a_streak_forgives_one_day_a_week(studied, streak):
    assert find_streak(studied, TODAY) == streak


@pytest.mark.parametrize(
    ("right", "wrong", "level", "certainty"),
    [
        (1, 0, mastery.UNCLEAR, mastery.GUESS),
        (20, 0, mastery.KNOWN, mastery.SURE),
        (0, 6, mastery.WEAK, mastery.ROUGH),
        (5, 4, mastery.GROWING, mastery.ROUGH),
    ],
)
def test_a_topic_is_as_sure_as_it_was_asked(right, wrong, level, certainty):
    topic = estimate_mastery("gpu", [Fraction(1)] * right + [Fraction(0)] * wrong)
    assert (topic.level, topic.certainty) == (level, certainty)
    assert topic.low - 1e-9 <= float(topic.share) <= topic.high + 1e-9


@pytest.mark.django_db
def test_topics_come_from_the_last_answers_that_may_be_shown(users, questions, counted):
    for question in questions:
        set_tags(question=question, names=["gpu"], by=None)
    quiz = create_quiz(users, questions, window_attempts=None)
    take_quiz(quiz, users.learner, {0: "abc", 1: "a", 2: "a"})
    (topic,) = progress.load_mastery(users.learner, NOW)
    assert (topic.tag, topic.questions, topic.share) == ("gpu", 3, Fraction(1, 3))
    take_quiz(quiz, users.learner, {0: "abc", 1: "b", 2: "b"}, now=later(days=1))
    with counted() as queries:
        (topic,) = progress.load_mastery(users.learner, later(days=1))
    assert topic.share == 1
    assert len(queries) <= 5
    hidden = create_quiz(users, questions, slug="hidden", reveal_score="never")
    take_quiz(hidden, users.other_learner, {0: "abc"})
    assert progress.load_mastery(users.other_learner, NOW) == []


@pytest.mark.django_db
def test_days_and_streak_are_those_of_the_learners_zone(users, cards):
    users.learner.time_zone = "America/New_York"
    settings = selectors.load_settings(users.learner)
    first = entry(cards[0], rating=replay.AGAIN)
    send(users.learner, first)
    send(users.learner, entry(cards[1], at=later(hours=18)), now=later(hours=18))  # 1 at night
    counts = {
        row.day.day: row for row in progress.load_days(users.learner, settings, later(days=1))
    }
    assert (counts[21].reviewed, counts[21].recalled) == (2, 1)
    assert counts[22].reviewed == 0
    assert progress.load_streak(users.learner, settings, later(days=1)) == Streak(1, 0)
    undo = entry(cards[0], replay.UNDO, undoes=first.client_id, at=later(hours=19))
    send(users.learner, undo, now=later(hours=19))
    counts = {
        row.day.day: row for row in progress.load_days(users.learner, settings, later(days=1))
    }
    assert counts[21].reviewed == 1
    assert len(counts) == 30
