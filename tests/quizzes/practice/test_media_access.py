"""Pictures of practised questions: shown with their words, those of feedback once that is shown."""

import pytest
from django.urls import reverse

from quizzes.attempts.models import Assignment
from quizzes.lib import clock
from tests import media_files
from tests.factories import create_bank, create_question, create_quiz
from tests.media_files import media_markdown, upload
from tests.quizzes.api.programs import program
from tests.quizzes.practice.test_practice import draw, give_up
from tests.quizzes.results.test_media_access import with_texts
from tests.quizzes.web.views.test_media import address, read
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def pictures(users):
    """The picture of a question and that of its explanation, and the practice that asks it."""
    bank = create_bank(users)
    picture, secret = upload(bank, media_files.png()), upload(bank, media_files.gif())
    question = create_question(bank, "first", right="a", kind="single_choice")
    with_texts(question, prompt=media_markdown(picture), explanation=media_markdown(secret))
    return picture, secret, create_quiz(users, [question], slug="practice", mode="practice")


def list_statuses(person, *media) -> list[int]:
    """What pages and REST answer of each file, which is the same; what they send is read."""
    client, rest = logged_in_client(person), program(person)
    answers = [(client.get(address(each)), rest.get(f"media/{each.uuid}")) for each in media]
    for pair in answers:
        assert read(pair[0]) == read(pair[1]) or pair[0].status_code == 404
        assert pair[0].status_code == pair[1].status_code
    return [page.status_code for page, _ in answers]


def test_pictures_come_with_the_words_and_with_the_explanation(users, pictures):
    picture, secret, quiz = pictures
    assert list_statuses(users.learner, picture, secret) == [404, 404]
    row = draw(quiz, users.learner)
    assert list_statuses(users.learner, picture, secret) == [200, 404]
    give_up(row, users.learner)
    assert list_statuses(users.learner, picture, secret) == [200, 200]
    assert list_statuses(users.other_learner, picture, secret) == [404, 404]


def test_of_a_live_question_the_picture_of_the_explanation_stays_hidden(users, pictures):
    picture, secret, quiz = pictures
    row = draw(quiz, users.learner)
    create_quiz(users, [row.version.question], slug="exam")
    give_up(row, users.learner)
    assert list_statuses(users.learner, picture, secret) == [200, 404]


def test_whoever_may_no_longer_practise_sees_no_picture(users, pictures):
    picture, secret, quiz = pictures
    give_up(draw(quiz, users.learner), users.learner)
    Assignment.objects.filter(quiz=quiz).update(closes_at=clock.now())
    assert list_statuses(users.learner, picture, secret) == [404, 404]
    page = logged_in_client(users.learner).get(reverse("practice", args=["practice"]))
    assert page.status_code == 302
