"""Pictures of cards: with the cards that one may be asked, on both sides, and with no others."""

import pytest
from django.urls import reverse

from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.study.models import StudyCard, StudyDeck, StudyOffer
from tests import media_files
from tests.attempt_helpers import start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.media_files import media_markdown, upload
from tests.quizzes.practice.test_media_access import list_statuses
from tests.quizzes.results.test_media_access import with_texts
from tests.quizzes.study.helpers import offer, study
from tests.quizzes.study.test_mistakes import LAST, sync
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def pictured(users):
    """A bank that everyone may study, with a card: pictures of front, back, and Spanish back."""
    bank = create_bank(users, slug="cards")
    pictures = [upload(bank, media_files.png(2, number)) for number in (1, 2, 3)]
    front, back, spanish = map(media_markdown, pictures)
    item = QuestionDocument(
        kind="flashcard",
        scoring_method="study",
        words={"en": {"prompt": front}, "es": {"prompt": front}},
        feedback={"en": {"back": back}, "es": {"back": spanish}},
    )
    question = bank_services.add_question(bank=bank, name="first", item=item, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    return pictures, offer(bank), question


def test_a_card_that_one_studies_shows_its_pictures_on_both_sides(users, pictured):
    pictures, bank, _question = pictured
    assert list_statuses(users.learner, *pictures) == [404, 404, 404]
    study(users.learner, bank)
    assert list_statuses(users.learner, *pictures) == [200, 200, 200]
    assert list_statuses(users.other_learner, *pictures) == [404, 404, 404]
    page = logged_in_client(users.learner).get(reverse("stored_cards")).content.decode()
    for picture in pictures[:2]:
        assert f"/media/{picture.uuid}.png" in page


@pytest.mark.parametrize("end", ["offer", "deck", "retired"])
def test_a_card_that_is_asked_no_more_shows_none(users, pictured, end):
    pictures, bank, question = pictured
    study(users.learner, bank)
    if end == "offer":
        StudyOffer.objects.all().delete()
    elif end == "deck":
        StudyDeck.objects.all().delete()
    else:
        bank_services.retire(question=question, by=None, now=NOW)
    assert list_statuses(users.learner, *pictures) == [404, 404, 404]


def test_while_a_graded_quiz_may_ask_it_a_card_shows_none(users, pictured):
    pictures, bank, question = pictured
    study(users.learner, bank)
    quiz = create_quiz(users, [question, create_question(bank, "graded")], slug="exam")
    assert list_statuses(users.learner, *pictures) == [404, 404, 404]
    start(quiz, users.learner)
    assert list_statuses(users.learner, *pictures) == [200, 404, 404]  # the question asks the front


def test_the_picture_of_a_mistakes_explanation_comes_with_its_card(users):
    bank = create_bank(users)
    secret = upload(bank, media_files.gif())
    question = create_question(bank, "first", right="a", kind="single_choice")
    with_texts(question, explanation=media_markdown(secret))
    quiz = create_quiz(users, [question], **LAST, reveal_explanation="never")
    take_quiz(quiz, users.learner, {0: "b"})
    assert list_statuses(users.learner, secret) == [404]
    assert sync(users.learner) == 1
    assert list_statuses(users.learner, secret) == [200]
    assert list_statuses(users.other_learner, secret) == [404]


def test_a_card_that_was_suspended_goes_on_showing_them(users, pictured):
    pictures, bank, _question = pictured
    (card,) = study(users.learner, bank)
    StudyCard.objects.filter(pk=card.pk).update(is_suspended=True)
    assert list_statuses(users.learner, *pictures) == [200, 200, 200]
