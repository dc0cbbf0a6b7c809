"""What a draft would ask: a paper as an attempt gets it, in both languages; nothing is begun."""

import re

import pytest
from django.urls import reverse

from quizzes.attempts.models import Attempt
from quizzes.bank.models import Bank
from quizzes.publishing.models import Quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def quiz(users, bank) -> Quiz:
    quiz = create_quiz(users, [create_question(bank, "fixed")])
    for number in range(12):
        create_question(bank, f"drawn-{number}")
    section = quiz.sections.get()
    section.title = {"en": "Warming up"}
    section.save()
    section.slots.create(position=9, pool_bank=bank, draw=2)
    return quiz


def open_preview(client, quiz: Quiz, **query: str) -> str:
    address = reverse("admin:publishing_quiz_preview", args=[quiz.pk])
    return str(client.get(address, query).content, "utf-8")


def list_prompts(page: str) -> list[str]:
    return re.findall(r"Question ([\w-]+)\?", page)


def test_the_paper_has_what_is_fixed_and_a_draw_in_each_language(users, quiz):
    page = open_preview(logged_in_client(users.instructor), quiz)
    prompts = list_prompts(page)
    assert prompts[0] == "fixed"
    assert len(set(prompts)) == len(prompts) == 3
    assert page.count("¿Pregunta ") == 3
    assert "Warming up" in page
    assert not Attempt.objects.exists()


def test_another_paper_is_another_draw_and_the_same_number_the_same(users, quiz):
    client = logged_in_client(users.instructor)
    papers = [open_preview(client, quiz, paper=str(number)) for number in (1, 2, 3, 1)]
    assert len({tuple(list_prompts(page)) for page in papers}) > 1
    assert list_prompts(papers[0]) == list_prompts(papers[3])
    assert 'href="?paper=2"' in papers[0]


def test_no_key_is_on_the_page(users, quiz):
    page = open_preview(logged_in_client(users.instructor), quiz)
    assert "Feedback" not in page
    assert "Because" not in page


def test_a_draft_with_problems_names_them(users, quiz):
    quiz.sections.get().slots.filter(position=9).update(draw=500)
    page = open_preview(logged_in_client(users.instructor), quiz)
    assert "The quiz cannot be published yet:" in page
    assert list_prompts(page) == []


def test_others_find_no_such_page(users, quiz):
    address = reverse("admin:publishing_quiz_preview", args=[quiz.pk])
    for person in (users.outsider, users.learner, users.stranger):
        assert logged_in_client(person).get(address).status_code == 404


def test_more_questions_ask_no_more_often(users, quiz, bank, counted):
    client = logged_in_client(users.instructor)
    open_preview(client, quiz)
    with counted() as few:
        open_preview(client, quiz)
    quiz.sections.get().slots.filter(position=9).update(draw=8)
    open_preview(client, quiz)
    with counted() as many:
        open_preview(client, quiz)
    assert len(many) == len(few)
