"""Mistakes become cards when reveal shows what is right, and rest while it may be asked."""

from fractions import Fraction
from typing import Any

import pytest

from grading.contract import ItemScore, LedgerLine
from quizzes.bank.models import Question
from quizzes.study import selectors, services
from quizzes.study.domain.mistakes import find_mistakes
from quizzes.study.mistakes import sync_mistakes
from quizzes.study.models import CardSource, MistakeSync, StudyCard, StudyLogEntry
from tests.attempt_helpers import finish, later, start, take_quiz
from tests.factories import NOW, create_quiz, option_ids, publish_change
from tests.quizzes.study.helpers import entry, send, state_of

pytestmark = pytest.mark.django_db

LAST: dict[str, Any] = {"max_attempts": 1, "reveal_key": "after_last_attempt"}


@pytest.fixture
def failed(users, questions):
    """A quiz with a single attempt, taken with mistakes."""
    quiz = create_quiz(users, questions, **LAST)
    take_quiz(quiz, users.learner, {0: "ad", 1: "a", 2: "b"})
    return quiz


def sync(learner, now=NOW):
    return sync_mistakes(learner=learner, now=now)


def own_cards(learner):
    return list(StudyCard.objects.filter(learner=learner, source=CardSource.MISTAKE).order_by("pk"))


def view(card, learner, now=NOW, language="en"):
    settings = selectors.load_settings(learner)
    card = selectors.find_card(learner, card.uuid)
    return selectors.load_card_view(card, learner, settings, language=language, now=now)


def test_each_wrong_or_missed_option_is_a_card_and_each_question_with_one_answer(
    users, questions, failed
):
    """Right are a, b, c; chosen were a and d: missed are b and c, wrong is d."""
    assert sync(users.learner) == 4
    options = {(card.question.name, card.option) for card in own_cards(users.learner)}
    many = {("many", option) for option in option_ids(questions[0], "b", "c", "d")}
    assert options == {*many, ("single", "")}


def test_a_card_says_whether_its_option_is_right(users, questions, failed):
    sync(users.learner)
    wrong, missed = option_ids(questions[0], "d", "b")
    verdicts = {
        card.option: view(card, users.learner).is_right
        for card in own_cards(users.learner)
        if card.option
    }
    assert verdicts[wrong] is False
    assert verdicts[missed] is True


def test_a_card_of_a_whole_question_shows_the_right_answer(users, questions, failed):
    sync(users.learner)
    card = next(card for card in own_cards(users.learner) if not card.option)
    assert view(card, users.learner).report.solution["chosen"] == option_ids(questions[1], "b")


def test_nothing_is_made_before_the_key_is_revealed(users, questions):
    quiz = create_quiz(users, questions, max_attempts=2, reveal_key="after_last_attempt")
    take_quiz(quiz, users.learner, {0: "d"})
    assert sync(users.learner) == 0
    assert not MistakeSync.objects.exists()
    take_quiz(quiz, users.learner, {0: "d"}, now=later(days=1))
    assert sync(users.learner, later(days=1)) > 0


def test_mistakes_of_others_are_nobody_elses(users, failed):
    assert sync(users.other_learner) == 0
    assert sync(users.instructor) == 0


def test_an_attempt_is_looked_through_once(users, failed, counted):
    sync(users.learner)
    with counted() as queries:
        assert sync(users.learner) == 0
    assert len(queries) == 1


def test_what_waits_costs_no_more_than_asking_reveal(users, questions, counted):
    quiz = create_quiz(users, questions, reveal_key="never", window_attempts=None)
    sizes = []
    for number in range(1, 4):
        take_quiz(quiz, users.learner, {0: "d"}, now=later(days=number))
        with counted() as queries:
            assert sync(users.learner, later(days=9)) == 0
        sizes.append(len(queries))
    assert max(sizes) == sizes[0] <= 4


def test_a_card_rests_while_its_question_is_live_and_comes_back(users, questions, failed):
    sync(users.learner)
    before = selectors.load_today(users.learner, NOW)
    assert (before.queue.count, before.resting) == (4, 0)
    retake = create_quiz(users, questions[:1], slug="retake", max_attempts=1)
    resting = selectors.load_today(users.learner, NOW)
    assert (resting.queue.count, resting.resting) == (1, 3)
    attempt = start(retake, users.learner)
    assert selectors.load_today(users.learner, NOW).resting == 3
    finish(attempt)
    assert selectors.load_today(users.learner, NOW).resting == 0


def test_a_retired_question_and_a_later_version_change_nothing(users, questions, failed):
    """A card shows the version whose key was revealed, never a newer key."""
    sync(users.learner)
    card = own_cards(users.learner)[0]
    send(users.learner, entry(card))
    before = state_of(card)
    publish_change(questions[0], key={"right": option_ids(questions[0], "d")})
    Question.objects.filter(pk=questions[0].pk).update(retired_at=NOW)
    assert sync(users.learner) == 0
    assert services.sync_decks(learner=users.learner, now=NOW) == 0
    assert state_of(card) == before
    missed = StudyCard.objects.get(option=option_ids(questions[0], "b")[0])
    assert view(missed, users.learner).is_right
    assert StudyLogEntry.objects.count() == 1


def test_a_second_mistake_is_the_same_card(users, questions, failed):
    sync(users.learner)
    again = create_quiz(users, questions, slug="again", **LAST)
    take_quiz(again, users.learner, {0: "ad", 1: "c"}, now=later(days=1))
    assert sync(users.learner, later(days=1)) == 1  # the question on truth was not answered
    assert StudyCard.objects.count() == 5


def test_what_was_right_and_what_has_no_answer_gives_no_card():
    line = LedgerLine("a", chosen=True, right=True, earned=Fraction(1), reason="")
    assert find_mistakes("multiple_choice", ItemScore(Fraction(1), (line,), ()), ["a"]) == ()
    wrong = ItemScore(Fraction(0), (), ())
    assert find_mistakes("essay", wrong, []) == ()
    assert find_mistakes("numeric", wrong, []) == ("",)
