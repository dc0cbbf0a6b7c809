"""What is due today, in which language a card is asked, what rests."""

import pytest

from quizzes.bank.models import Question
from quizzes.lib.errors import NotFound
from quizzes.study import selectors, services
from quizzes.study.domain import replay
from quizzes.study.models import LanguageChoice, StudyOffer
from tests.attempt_helpers import later, start
from tests.factories import NOW, create_question, create_quiz
from tests.quizzes.study.helpers import entry, send, study

pytestmark = pytest.mark.django_db


def today(learner, now=NOW):
    return selectors.load_today(learner, now)


def view(card, learner, language="en", now=NOW, **options):
    settings = selectors.load_settings(learner)
    return selectors.load_card_view(card, learner, settings, language=language, now=now, **options)


def test_new_cards_are_due_up_to_the_limit(users, cards):
    assert today(users.learner).queue.new == tuple(card.pk for card in cards)
    services.save_settings(learner=users.learner, values={"new_per_day": 2}, now=NOW)
    send(users.learner, entry(cards[0], rating=replay.EASY))
    after = today(users.learner)
    assert (after.queue.new, after.done) == ((cards[1].pk,), 1)
    assert today(users.learner, later(days=1)).queue.new == (cards[1].pk, cards[2].pk)


def test_suspended_and_buried_cards_are_not_asked(users, cards):
    send(users.learner, entry(cards[0], replay.SUSPEND), entry(cards[1], replay.BURY))
    assert today(users.learner).queue.order == (cards[2].pk,)
    assert today(users.learner, later(days=1)).queue.order == (cards[1].pk, cards[2].pk)
    assert selectors.list_suspended(users.learner) == [cards[0]]


def test_what_is_no_longer_offered_is_not_asked(users, cards):
    StudyOffer.objects.all().delete()
    assert today(users.learner).queue.order == ()
    with pytest.raises(NotFound):
        selectors.find_card(users.learner, cards[0].uuid)


def test_a_retired_question_is_not_asked(users, cards):
    Question.objects.filter(pk=cards[0].question_id).update(retired_at=NOW)
    assert cards[0].pk not in today(users.learner).queue.order


def test_a_card_shows_its_back_in_the_language_of_the_page(users, cards):
    for language in ("en", "es"):
        shown_card = view(cards[0], users.learner, language)
        assert f"Back first {language}" in shown_card.report.feedback["back"]
        assert shown_card.languages == ("en", "es")


def test_a_card_is_asked_in_the_other_language_on_wish(users, cards):
    assert view(cards[0], users.learner, asked_in="es").language == "es"
    assert view(cards[0], users.learner, asked_in="fr").language == "en"
    services.save_settings(
        learner=users.learner, values={"language_choice": LanguageChoice.OTHER}, now=NOW
    )
    send(users.learner, entry(cards[0], language="en"))
    cards[0].refresh_from_db()
    assert view(cards[0], users.learner).language == "es"
    send(users.learner, entry(cards[0], language="es", at=later(minutes=1)), now=later(minutes=1))
    cards[0].refresh_from_db()
    assert view(cards[0], users.learner).language == "en"


def test_a_card_rests_while_an_attempt_may_ask_it(users, cards, into):
    quiz = create_quiz(users, [cards[0].question, create_question(into, "asked")], slug="graded")
    assert today(users.learner).resting == 1
    assert cards[0].pk not in today(users.learner).queue.order
    with pytest.raises(NotFound):
        view(cards[0], users.learner)
    stranger = study(users.stranger, cards[0].question.bank)
    assert today(users.stranger).resting == 0
    assert view(stranger[0], users.stranger).report.feedback["back"]
    start(quiz, users.learner)
    assert today(users.learner).resting == 1


def test_cards_of_others_are_not_found(users, cards):
    with pytest.raises(NotFound):
        selectors.find_card(users.other_learner, cards[0].uuid)


def test_the_number_of_queries_does_not_depend_on_the_cards(users, cards, counted):
    send(users.learner, entry(cards[0]))
    with counted() as few:
        today(users.learner)
    send(users.learner, *[entry(card, at=later(minutes=1)) for card in cards], now=later(minutes=1))
    with counted() as more:
        today(users.learner)
    assert len(few) == len(more) <= 7


def test_decks_say_how_much_was_seen(users, deck_bank, cards):
    send(users.learner, entry(cards[0]))
    (deck,) = selectors.list_decks(users.learner)
    assert (deck.cards, deck.seen, deck.is_studied) == (3, 1, True)
    (deck,) = selectors.list_decks(users.stranger)
    assert (deck.cards, deck.seen, deck.is_studied) == (3, 0, False)
