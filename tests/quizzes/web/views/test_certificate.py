"""The pages on which a certificate is made, and the links that lead there."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from quizzes.certificates.models import Certificate
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(users):
    question = create_question(create_bank(users), "one", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], gives_certificates=True)
    return take_quiz(quiz, users.learner, {0: "a"})


@pytest.fixture
def client(users) -> Client:
    return logged_in_client(users.learner)


def test_the_result_leads_to_the_choice_and_then_to_the_certificate(attempt, client):
    choice = reverse("choose_certificate", args=[attempt.uuid])
    result = reverse("result", args=[attempt.uuid])
    assert f'href="{choice}"' in client.get(result).content.decode()
    page = client.get(choice).content.decode()
    assert not re.findall(r"<input[^>]+checked", page)
    response = client.post(choice, {"is_public": "on"})
    row = Certificate.objects.get()
    address = reverse("certificate", args=[row.uuid])
    assert response.url == address
    assert (row.name, row.shows_score, row.is_public) == ("", False, True)
    assert f'href="{address}"' in client.get(result).content.decode()
    assert f'href="{address}"' in client.get(reverse("history")).content.decode()
    stranger = Client().get(address).content.decode()
    assert str(attempt.uuid) not in stranger
    assert choice in client.get(address).content.decode()


def test_it_is_withdrawn_by_a_button(attempt, client):
    choice = reverse("choose_certificate", args=[attempt.uuid])
    client.post(choice, {})
    assert client.post(choice, {"withdraw": "1"}).url == reverse("result", args=[attempt.uuid])
    assert Certificate.objects.get().withdrawn_at is not None
    assert "Make the certificate" in client.get(choice).content.decode()


def test_without_a_name_in_the_profile_it_says_so_and_makes_none(users, attempt, client):
    User.objects.filter(pk=users.learner.pk).update(name="")
    choice = reverse("choose_certificate", args=[attempt.uuid])
    response = client.post(choice, {"shows_name": "on"})
    assert response.status_code == 409
    assert "There is no name in your profile" in response.content.decode()
    assert not Certificate.objects.exists()


def test_the_page_of_choices_is_its_learners_alone(users, attempt):
    choice = reverse("choose_certificate", args=[attempt.uuid])
    for person in (users.other_learner, users.instructor, users.stranger):
        assert logged_in_client(person).get(choice).status_code == 404
    assert Client().get(choice).status_code == 302
