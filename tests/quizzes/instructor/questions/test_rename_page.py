"""A question gets another name in its bank: nothing of what was published of it changes."""

import pytest
from django.urls import reverse

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Question
from tests.attempt_helpers import take_quiz
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question, create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users) -> Question:
    bank = create_bank(users)
    create_question(bank, "other")
    return create_question(bank, "asked", right="b")


def address_of(question: Question) -> str:
    return reverse("admin:bank_question_rename", args=[question.pk])


def rename(person, question: Question, name: str):
    client = logged_in_client(person)
    values = form_values(client.get(address_of(question)), "name")
    assert values["name"] == question.name
    return client.post(address_of(question), values | {"name": name})


def test_it_is_found_by_its_new_name_and_is_the_same_question(users, question):
    version, quiz = question.current, create_quiz(users, [question])
    attempt = take_quiz(quiz, users.learner, {0: "b"})
    answer = rename(users.instructor, question, "asked-better")
    assert answer["Location"] == reverse("admin:bank_question_change", args=[question.pk])
    question.refresh_from_db()
    assert (question.name, question.current) == ("asked-better", version)
    attempt.refresh_from_db()
    assert attempt.state == "graded"
    (event,) = AuditEvent.objects.filter(code=AuditCode.QUESTION_RENAMED)
    assert (event.actor, event.subject) == (users.instructor.uuid, question.uuid)
    assert (event.before, event.after) == ({"name": "asked"}, {"name": "asked-better"})


def test_a_name_that_is_taken_is_refused_at_its_field(users, question):
    answer = rename(users.instructor, question, "other")
    assert "There is a question of this name in the bank." in answer.content.decode()
    question.refresh_from_db()
    assert question.name == "asked"


def test_the_same_name_is_no_change(users, question):
    assert rename(users.instructor, question, "asked").status_code == 302
    assert not AuditEvent.objects.filter(code=AuditCode.QUESTION_RENAMED).exists()


def test_others_rename_nothing(users, question):
    for person in (users.outsider, users.learner, users.stranger):
        answer = logged_in_client(person).post(address_of(question), {"name": "mine"})
        assert answer.status_code == 404
    question.refresh_from_db()
    assert question.name == "asked"


def test_the_page_is_in_spanish_too(users, question):
    users.instructor.language = "es"
    users.instructor.save()
    client = logged_in_client(users.instructor)
    assert "Cambiar el nombre" in client.get(address_of(question)).content.decode()
