"""The tabs of a quiz and the breadcrumbs, on each of its pages."""

import re

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.bank.models import Question
from tests.factories import create_question, create_quiz
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

PAGES = {
    "publishing_quiz_compose": "Questions",
    "publishing_quiz_farmability": "Guessing",
    "publishing_quiz_copy": "Copy",
    "publishing_quiz_regrade": "Regrade",
    "publishing_quiz_retire": "Retire",
    "attempts_attempt_progress": "In progress",
}


@pytest.fixture
def quiz(users, into):
    return create_quiz(users, [create_question(into, "asked")])


def open_page(client, quiz, name: str) -> str:
    key = quiz.uuid if name == "attempts_attempt_progress" else quiz.pk
    return str(client.get(reverse(f"admin:{name}", args=[key])).content, "utf-8")


def list_crumbs(page: str) -> list[str]:
    return re.findall(r'class="breadcrumb">\s*(.*?)\s*</', page)


def test_each_page_of_a_quiz_has_its_tabs_and_its_name_in_the_breadcrumbs(users, quiz):
    client = logged_in_client(users.instructor)
    for name, label in PAGES.items():
        page = open_page(client, quiz, name)
        assert f'aria-current="page">{label}</a>' in page, name
        assert list_crumbs(page) == ["Quizzes", str(quiz), label]


def test_a_page_without_a_name_of_its_own_ends_with_its_row_or_list(users, quiz):
    client = logged_in_client(users.instructor)
    changed = client.get(reverse("admin:publishing_quiz_change", args=[quiz.pk])).content.decode()
    assert list_crumbs(changed) == ["Quizzes", str(quiz)]
    listed = client.get(reverse("admin:publishing_quiz_changelist")).content.decode()
    assert list_crumbs(listed) == ["Quizzes"]


def test_the_name_of_a_row_is_its_own_whatever_it_begins_with(users, quiz):
    question = Question.objects.get(name="asked")
    for name in ("bank_question_change", "bank_question_history"):
        address = reverse(f"admin:{name}", args=[question.pk])
        page = logged_in_client(users.instructor).get(address).content.decode()
        assert list_crumbs(page)[:2] == ["Questions", str(question)], name
        assert str(question)[0].islower()


def test_an_assistant_is_led_to_no_page_of_its_authors(users, quiz):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    page = open_page(logged_in_client(assistant), quiz, "attempts_attempt_progress")
    assert reverse("admin:attempts_attempt_progress", args=[quiz.uuid]) in page
    for name in PAGES.keys() - {"attempts_attempt_progress"}:
        assert reverse(f"admin:{name}", args=[quiz.pk]) not in page
