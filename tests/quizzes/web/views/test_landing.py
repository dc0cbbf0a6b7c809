"""The first page of a stranger: a question that one tap answers, never one of a graded quiz."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.bank.models import Bank, Question
from quizzes.bank.services import set_tags
from quizzes.practice.models import PracticeTry
from quizzes.practice.sample_question import SAMPLE_TAG
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.quizzes.web.test_secrecy import masked, twin
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
HOME = "/"
SENTENCE = "Quizzes that tell you why, for every single point."


def mark(question: Question, *, of_administrators: bool = True) -> Question:
    set_tags(question=question, names=[SAMPLE_TAG], by=None)
    if of_administrators:
        Bank.objects.filter(pk=question.bank_id).update(group=None, owner=None)
    return question


@pytest.fixture
def question(users) -> Question:
    return mark(create_question(create_bank(users), "one", right="a", kind="single_choice"))


def is_asked(client: Client | None = None) -> bool:
    response = (client or Client()).get(HOME)
    return response.status_code == 200 and SENTENCE in response.content.decode()


def test_a_stranger_answers_with_one_button_and_reads_why(question):
    client = Client(enforce_csrf_checks=False)
    page = client.get(HOME).content.decode()
    assert page.count('name="chosen"') == 4
    assert "Because one" not in page
    right, wrong = (option_ids(question, letter)[0] for letter in "ab")
    answered = client.post(HOME, {"chosen": right}).content.decode()
    assert "Right! Here is why:" in answered
    assert "Because one" in answered
    # It is the only question, and nothing is counted: a number and points would say nothing.
    assert "Question 1" not in answered
    assert "Points:" not in answered
    assert "question 1" not in answered
    assert "Not quite. Here is why:" in client.post(HOME, {"chosen": wrong}).content.decode()
    assert not Attempt.objects.exists()
    assert not PracticeTry.objects.exists()


def list_styles(page: str) -> list[str]:
    return re.findall(r'rel="stylesheet" href="/static/web/css/([^"]+)"', page)


def test_it_asks_for_no_style_sheet_that_its_question_does_not_need(question):
    """A browser opens six connections at once: more of them cost a slow phone a round trip."""
    client = Client()
    assert list_styles(client.get(HOME).content.decode()) == ["base.css", "landing.css"]
    words = question.draft.data["words"]
    with_code = {lang: {**texts, "prompt": "What is `1 + 1`?"} for lang, texts in words.items()}
    publish_change(question, words=with_code)
    assert list_styles(client.get(HOME).content.decode())[2:] == ["code.css"]
    answered = client.post(HOME, {"chosen": option_ids(question, "a")[0]}).content.decode()
    assert "code.css" in list_styles(answered)


def test_it_is_in_the_language_of_the_browser(question):
    page = Client().get(HOME, headers={"Accept-Language": "es-MX"}).content.decode()
    assert "Cuestionarios que te dicen el porqué" in page
    assert "¿Pregunta one?" in page


@pytest.mark.parametrize("chosen", [[], ["x"], ["00000000-0000-0000-0000-000000000000"]])
def test_what_is_no_option_is_asked_again(question, chosen):
    response = Client().post(HOME, {"chosen": chosen})
    assert (response.status_code, response["Location"]) == (302, HOME)


def test_who_is_signed_in_meets_their_quizzes(users, question):
    assert not is_asked(logged_in_client(users.learner))
    assert logged_in_client(users.learner).post(HOME, {"chosen": "x"}).status_code == 405


def test_without_a_marked_question_a_stranger_signs_in(users):
    create_question(create_bank(users), "one", right="a", kind="single_choice")
    response = Client().get(HOME)
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_login"))


def test_a_class_cannot_put_its_question_there(users):
    question = create_question(create_bank(users), "one", right="a", kind="single_choice")
    mark(question, of_administrators=False)
    assert not is_asked()


def test_a_question_of_a_graded_quiz_is_never_asked(users, question):
    quiz = create_quiz(users, [question])
    assert not is_asked()
    running = start(quiz, users.learner)
    Quiz.objects.filter(pk=quiz.pk).update(retired_at=NOW)
    assert not is_asked()
    Attempt.objects.filter(pk=running.pk).update(state="void", void_reason="Over.")
    assert is_asked()


def test_a_question_of_a_practice_may_be_asked(users, question):
    create_quiz(users, [question], mode="practice")
    assert is_asked()


def test_the_page_says_nothing_of_the_key(users):
    seen = []
    for slug, right in (("one", "b"), ("two", "a")):
        bank = create_bank(users, slug)
        question = mark(twin(bank, f"{slug}-single", right, kind="single_choice"))
        seen.append(masked(Client().get(HOME)))
        Question.objects.filter(pk=question.pk).update(retired_at=NOW)
    assert seen[0] == seen[1]


def test_the_page_is_three_queries_at_most(question, django_assert_max_num_queries):
    Client().get(HOME)
    with django_assert_max_num_queries(3):
        assert is_asked()
