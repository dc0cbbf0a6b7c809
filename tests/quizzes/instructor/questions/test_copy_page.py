"""A question copied within its bank: a draft of its own, which shares no row with it."""

import pytest
from django.urls import reverse

from quizzes.bank import services
from quizzes.bank.models import Question
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_question
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users) -> Question:
    question = create_question(create_bank(users), "asked", right="b")
    services.set_tags(question=question, names=["easy"], by=None)
    return question


def address_of(question: Question) -> str:
    return reverse("admin:bank_question_copy", args=[question.pk])


def test_the_copy_says_the_same_with_rows_of_its_own(users, question):
    client = logged_in_client(users.instructor)
    values = form_values(client.get(address_of(question)), "name")
    assert values["name"] == "asked-2"
    answer = client.post(address_of(question), values)
    copy = Question.objects.get(name="asked-2")
    assert answer["Location"] == reverse("admin:bank_question_change", args=[copy.pk])
    assert [tag.name for tag in copy.tags.all()] == ["easy"]
    ids = {str(option.uuid): option.name for option in copy.options.all()}
    before = {str(option.uuid): option.name for option in question.options.all()}
    assert sorted(ids.values()) == sorted(before.values())
    assert not ids.keys() & before.keys()
    data, original = copy.draft.data, question.draft.data
    assert [ids[id_] for id_ in data["key"]["right"]] == ["b"]
    texts = {ids[id_]: text for id_, text in data["words"]["es"]["options"].items()}
    assert texts == {before[id_]: text for id_, text in original["words"]["es"]["options"].items()}
    services.publish(question=copy, by=users.instructor, now=NOW)


def test_a_name_that_is_taken_is_refused_at_its_field(users, question):
    client = logged_in_client(users.instructor)
    answer = client.post(address_of(question), {"name": "asked"})
    assert "There is a question of this name in the bank." in answer.content.decode()
    assert Question.objects.count() == 1


def test_others_copy_nothing(users, question):
    for person in (users.outsider, users.learner, users.stranger):
        answer = logged_in_client(person).post(address_of(question), {"name": "mine"})
        assert answer.status_code == 404
    assert Question.objects.count() == 1
