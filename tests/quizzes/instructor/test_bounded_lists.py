"""Lists of the admin count and page through so many rows, however many the table has."""

import pytest
from django.contrib import admin

from quizzes.bank.models import Question
from quizzes.instructor import bounded_paginator
from quizzes.instructor.bounded_paginator import BoundedPaginator
from tests.factories import create_bank, create_question
from tests.query_counts import statements
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

QUESTIONS = "/admin/bank/question/"
BOUND = 4


@pytest.fixture
def bank(users, monkeypatch):
    monkeypatch.setattr(bounded_paginator, "MOST_ROWS", BOUND)
    bank = create_bank(users)
    for number in range(BOUND):
        create_question(bank, f"q{number}")
    return bank


@pytest.fixture
def author(users, bank):
    return logged_in_client(users.instructor)


def retire_all(client):
    chosen = [str(Question.objects.values_list("pk", flat=True)[0])]
    fields = {"action": "retire_several", "_selected_action": chosen, "is_confirmed": "1"}
    return client.post(QUESTIONS, {**fields, "select_across": "1"}, follow=True)


def test_as_many_rows_as_are_counted_have_their_number_and_actions_for_all(author):
    assert f"{BOUND} questions" in " ".join(author.get(QUESTIONS).text.split())
    retire_all(author)
    assert not Question.objects.filter(retired_at=None).exists()


def test_more_are_told_as_such_and_no_action_is_for_all_of_them(author, bank):
    create_question(bank, "another")
    assert f"{BOUND}+ questions" in " ".join(author.get(QUESTIONS).text.split())
    page = retire_all(author)
    assert f"{BOUND}+ rows are too many" in page.text
    assert not Question.objects.exclude(retired_at=None).exists()
    assert Question.objects.count() == BOUND + 1


def test_a_table_is_counted_up_to_the_bound_without_its_order_or_texts(bank):
    with statements() as sent:
        assert BoundedPaginator(Question.objects.order_by("name"), 2).num_pages == BOUND // 2
    (sql,) = sent
    assert f"LIMIT {BOUND + 1}" in sql
    assert "ORDER BY" not in sql
    assert '"name"' not in sql


def test_every_list_of_the_admin_is_bounded():
    unbounded = [
        model._meta.label
        for model, of_model in admin.site._registry.items()
        if not issubclass(of_model.paginator, BoundedPaginator)
    ]
    assert unbounded == []
