"""Deleting in the admin works, or says what to do instead; nothing ends in an error."""

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from quizzes.instructor.admin_base import ModelAdmin
from quizzes.lib import clock
from quizzes.privacy.models import DataRequest, LegalHold
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
DELETABLE = "legalhold"


def has_address(page: ModelAdmin) -> bool:
    """Return whether a page has an address for deleting: some have none of Django's."""
    return any(str(getattr(url, "name", "")).endswith("_delete") for url in page.get_urls())


def test_every_page_deletes_or_says_what_to_do_instead(users: Users, a_quiz: Any) -> None:
    take_quiz(a_quiz, users.learner, {0: "a"})
    LegalHold.objects.create(person=users.learner, reason="appeal")
    DataRequest.objects.create(person=users.learner, kind="export", due_at=clock.now())
    client = logged_in_client(users.administrator)
    refused = set()
    for model, page in admin.site._registry.items():
        assert isinstance(page, ModelAdmin)
        row, name = model._default_manager.first(), str(model._meta.model_name)
        if row is None or not has_address(page):
            continue
        address = reverse(f"admin:{model._meta.app_label}_{name}_delete", args=[row.pk])
        answer, posted = client.get(address), client.post(address, {"post": "yes"})
        rows = model._default_manager.filter(pk=row.pk)
        if name == DELETABLE:
            assert (answer.status_code, posted.status_code) == (200, 302)
            assert not rows.exists()
        elif answer.status_code != 404:  # not a row that this page shows
            assert (answer.status_code, posted.status_code) == (200, 409), address
            assert str(page.instead_of_deleting) in answer.content.decode()
            assert rows.exists()
            refused.add(name)
    assert {"user", "group", "bank", "question", "quiz", "attempt", "assignment"} <= refused


@pytest.mark.parametrize("model", ["publishing/quiz", "bank/question", "attempts/attempt"])
def test_what_is_not_deleted_says_so_in_the_language_of_the_page(users, model):
    question = create_question(create_bank(users), "one")
    quiz = create_quiz(users, [question])
    attempt = take_quiz(quiz, users.learner)
    pks = {"publishing/quiz": quiz.pk, "bank/question": question.pk, "attempts/attempt": attempt.pk}
    address = f"/admin/{model}/{pks[model]}/delete/"
    page = logged_in_client(users.instructor).get(address, headers={"accept-language": "es"})
    text = page.content.decode()
    assert "are not deleted" not in text
    assert "no se eliminan" in text
