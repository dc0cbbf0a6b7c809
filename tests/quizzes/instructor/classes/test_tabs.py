"""The tabs of a class, and the pages of its quizzes."""

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.attempts.models import Assignment
from tests.factories import create_question, create_quiz
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

PAGES = {
    "accounts_group_class": "People and quizzes",
    "accounts_group_gradebook": "Gradebook",
    "accounts_group_grade_scheme": "Course total",
}


def open_page(client, group, name: str) -> str:
    return str(client.get(reverse(f"admin:{name}", args=[group.pk])).content, "utf-8")


def test_each_page_of_a_class_has_its_tabs(users):
    client = logged_in_client(users.instructor)
    for name, label in PAGES.items():
        page = open_page(client, users.group, name)
        assert f'aria-current="page">{label}</a>' in page, name
        for other in PAGES:
            assert reverse(f"admin:{other}", args=[users.group.pk]) in page


def test_an_assistant_has_the_gradebook_alone(users):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    page = open_page(logged_in_client(assistant), users.group, "accounts_group_gradebook")
    for name in PAGES.keys() - {"accounts_group_gradebook"}:
        assert reverse(f"admin:{name}", args=[users.group.pk]) not in page


def test_each_quiz_of_a_class_leads_to_its_window_its_attempts_and_its_grades(users, into):
    quiz = create_quiz(users, [create_question(into, "asked")])
    assignment, _ = Assignment.objects.get_or_create(quiz=quiz, group=users.group)
    page = open_page(logged_in_client(users.instructor), users.group, "accounts_group_class")
    grades = reverse("admin:accounts_group_gradebook", args=[users.group.pk])
    for address in (
        reverse("admin:attempts_assignment_change", args=[assignment.pk]),
        reverse("admin:attempts_attempt_progress", args=[quiz.uuid]),
        f"{grades}?quiz={quiz.uuid}",
    ):
        assert f'href="{address}"' in page
