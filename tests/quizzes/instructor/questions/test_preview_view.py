"""The preview of a draft, answered: graded as a learner's answer is, and kept nowhere."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.bank.models import Draft, Question
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question, option_ids
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users) -> Question:
    return create_question(create_bank(users), "asked", right="a", kind="single_choice")


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


def address_of(question: Question) -> str:
    return reverse("admin:bank_question_preview", args=[question.pk])


def try_option(client: Client, question: Question, letter: str, **more: str) -> str:
    (option,) = option_ids(question, letter)
    sent = {"try": "en", "r-0": "0", "q-0": option, **more}
    return unescape(client.post(address_of(question), sent).content.decode())


def test_an_answer_is_graded_and_reviewed_and_nothing_is_kept(author, question):
    right, wrong = (try_option(author, question, letter) for letter in "ab")
    assert "Points: 1 of 1" in right
    assert "Feedback a asked" in right
    assert "Points: 0 of 1" in wrong
    assert "Because asked" in wrong.partition("With the key")[0]
    assert not Attempt.objects.exists()


def test_it_is_graded_by_what_is_not_saved(author, question):
    values = form_values(
        author.get(reverse("admin:bank_question_change", args=[question.pk])), "q-kind"
    )
    row = next(
        name.removesuffix("-id")
        for name, value in values.items()
        if name.endswith("-id") and value in option_ids(question, "b")
    )
    other = next(name for name in values if name.endswith("-field_right"))
    values.pop(other)
    values[f"{row}-field_right"] = "on"
    page = author.post(address_of(question), values)
    draft = form_values(page, "try")["draft"]
    assert "Points: 1 of 1" in try_option(author, question, "b", draft=draft)
    assert "Points: 0 of 1" in try_option(author, question, "b")


def test_what_a_draft_with_problems_would_earn_is_not_said(author, question):
    draft = Draft.objects.get(question=question)
    draft.data["key"] = {"right": []}
    draft.save()
    page = try_option(author, question, "a")
    assert "Correct them to try an answer." in page
    assert "Points: 1 of 1" not in page


def test_a_question_that_is_not_saved_yet_has_a_preview(author, users):
    create_bank(users)
    page = author.get("/admin/bank/question/add/?kind=essay")
    sent = form_values(page, "q-kind") | {"q-words_prompt_en": "Tell me."}
    response = author.post(reverse("admin:bank_question_new_preview"), sent | {"live": "true"})
    text = response.content.decode()
    assert "Tell me." in text
    assert "With the key" not in text


def test_others_find_no_preview(users, question):
    for person in (users.outsider, users.learner, users.stranger):
        client = logged_in_client(person)
        assert client.post(address_of(question), {"try": "en"}).status_code == 404
    new = reverse("admin:bank_question_new_preview")
    assert logged_in_client(users.outsider).post(new).status_code == 403
